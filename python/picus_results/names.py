"""Names of quantities: patterns, and members of meshes."""

import re
from fnmatch import fnmatchcase

MEMBER = re.compile(r"^(?P<base>.+)\[(?P<number>\d+)\]$")


def matches(pattern, name):
    """Whether `*` (any characters) and `?` (one) make `pattern` fit `name`, or its end after a slash."""
    plain = pattern.replace("[", "[[]")  # the module knows sets of characters, these patterns do not
    return fnmatchcase(name, plain) or fnmatchcase(name, "*/" + plain)


def split_member(name):
    """("beam", 3) of "beam[3]", ("beam", None) of "beam"."""
    found = MEMBER.match(name)
    return (found["base"], int(found["number"])) if found else (name, None)


def count_members(names):
    """How many members NAME[0], NAME[1], ... each NAME has."""
    counts = {}
    for name in names:
        base, number = split_member(name)
        if number is not None:
            counts[base] = max(counts.get(base, 0), number + 1)
    return counts
