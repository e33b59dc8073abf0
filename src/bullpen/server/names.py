"""What people may be called: a name that can be read, and cannot be taken for another's at the same table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from bullpen.cards import Problem

LONGEST_NAME = 24

# Letters and signs that show nothing at all.
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U00016fe4\U0001d159")
# Marks that show nothing by themselves; those that make a picture out of a sign may be left out.
INVISIBLE_MARKS = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
PICTURE_SIGNS = "\ufe0e\ufe0f"
ACCENTED = ("LATIN", "GREEK", "CYRILLIC")  # elsewhere vowels and tones are marks, too

# Scripts in which people write today; those that are written together count as one.
SCRIPTS = {
    **{
        script: script
        for script in (
            *("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "THAANA"),
            *("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU"),
            *("KANNADA", "MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER"),
            "ETHIOPIC",
        )
    },
    **dict.fromkeys(("CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL", "IDEOGRAPHIC"), "EAST"),
}


def tidy_name(name: str) -> str:
    """As it is kept and shown; raises a Problem that says what is wrong with it."""
    composed = unicodedata.normalize("NFKC", name.translate(dict.fromkeys(map(ord, PICTURE_SIGNS))))
    tidy = " ".join(composed.split())
    if any(is_hidden(sign) for sign in tidy):
        raise Problem("name_hidden")
    if not any(unicodedata.category(sign)[0] in "LN" or is_picture(sign) for sign in tidy):
        raise Problem("name_empty")
    if len(tidy) > LONGEST_NAME:
        raise Problem("name_long", most=LONGEST_NAME)
    if has_stacked_marks(tidy):
        raise Problem("name_marks")
    if len(scripts_of(tidy)) > 1 or None in scripts_of(tidy):
        raise Problem("name_scripts")
    return tidy


def is_hidden(sign: str) -> bool:
    """Nothing is seen of it, or it changes how what stands beside it is seen."""
    if sign in BLANK or sign in INVISIBLE_MARKS:
        return True
    return not sign.isprintable()  # controls, formats, directions, what is not assigned


def is_picture(sign: str) -> bool:
    return unicodedata.category(sign) == "So"


def has_stacked_marks(name: str) -> bool:
    """Marks without a letter, or on top of each other.  What was composed into one letter counts as none."""
    left = 0  # marks that may still come
    for sign in name:
        if unicodedata.category(sign).startswith("M"):
            left -= 1
            if left < 0:
                return True
        elif sign.isalpha():
            left = 1 if script_of(sign) in ACCENTED else 2
        else:
            left = 0
    return False


# -- Scripts ------------------------------------------------------------------------------------


def script_of(letter: str) -> str | None:
    """None: a script that hardly anybody writes, chosen for how its letters look."""
    return SCRIPTS.get(re.split("[ -]", unicodedata.name(letter, ""))[0])


def scripts_of(name: str) -> set[str | None]:
    letters = [sign for sign in name if sign.isalpha()]
    return {script_of(one) for one in letters if not is_modifier(one)}


def is_modifier(letter: str) -> bool:
    """An apostrophe and its like, in words of any script."""
    return unicodedata.name(letter, "").startswith("MODIFIER LETTER")


# -- Names that look alike ----------------------------------------------------------------------

# Greek, Cyrillic and Armenian letters, then small ones of Latin, Hebrew and Arabic, and what they look like.
CAPITALS = str.maketrans(
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ" + "АВЕЅІЈКМНОРСТУХҮԌԚԜԐ" + "ՕՍՏԼ",
    "ABEZHIKMNOPTYXC" + "ABESIJKMHOPCTYXYGQWE" + "OUSL",
)
SMALL = str.maketrans(
    "αβγεηικνορτυχωϲϳ" + "авгеѕіјкмнорстухһԁԛԝүѵӏь" + "օսոհցզյւ" + "ıɑɡɩʋ" + "סןו" + "هاہ",
    "abyenikvoptuxwcj" + "abresijkmhopctyxhdqwyvlb" + "ounhgqjl" + "iagiv" + "oll" + "olo",
)
FIGURES = str.maketrans("01i|!", "ollll")
LETTER = re.compile(
    r"LATIN (?:SMALL LETTER |CAPITAL LETTER |LETTER SMALL CAPITAL )([A-Z])(?: WITH .*)?"
)


def looks(name: str) -> frozenset[str]:
    """What a glance keeps of a name: two names that share one of these can be taken for each other."""
    plain = without_marks(name)
    seen = without_marks(plain.translate(CAPITALS).casefold()).translate(SMALL)
    glance = "".join(map(bare_letter, seen)).translate(FIGURES)
    return frozenset(map(only_signs, (plain.casefold(), glance)))


def is_like_any(name: str, others: Iterable[str]) -> bool:
    mine = looks(name)
    return any(mine & looks(other) for other in others if other)


def without_marks(name: str) -> str:
    """Without accents; the vowels of scripts that write them as marks stay."""
    apart = unicodedata.normalize("NFKD", name)
    return "".join(sign for sign in apart if not is_accent(sign))


def is_accent(sign: str) -> bool:
    place = unicodedata.combining(
        sign
    )  # where a mark sits: over a letter, through it, a vowel's, …
    return place == 1 or 10 <= place <= 36 or place >= 200


def bare_letter(sign: str) -> str:
    """An ł is an l, an ʟ too; a digit of any script is that digit."""
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    found = LETTER.fullmatch(unicodedata.name(sign, ""))
    return found[1].lower() if found else sign


def only_signs(name: str) -> str:
    """Without spaces and points, where anything is left then."""
    bare = "".join(
        sign for sign in name if unicodedata.category(sign)[0] in "LNM" or is_picture(sign)
    )
    return bare or name
