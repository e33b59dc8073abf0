"""Real servers, clients that know only docs/wire.md, real faults, and a checker that reads afterwards what everybody saw.

    make faults SECONDS=600            both databases, one after the other
    python -m tests.faults --help

- `history`: what is written down while it runs, one file a table
- `wire`, `joining`: a client: requests, sockets, and how one gets to a table
- `people`, `parties`: who plays, and how
- `servers`, `databases`, `disks`, `proxy`: what is tested, and the ground it stands on
- `episodes`, `nuisances`: the faults
- `collecting`, `checker`, `conduct`, `report`: what was found
"""
