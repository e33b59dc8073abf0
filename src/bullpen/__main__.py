"""`python -m bullpen`"""

import sys

from bullpen.cli import main

sys.exit(main())
