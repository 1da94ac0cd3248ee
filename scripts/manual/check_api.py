#!/usr/bin/python3
"""Every public name that Doxygen has found has a comment; Doxygen itself keeps silent about enumerators and namespaces.

Usage: check_api.py XML_FOLDER. Prints what has none, and how many names there are.
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree

COMPOUNDS = ("namespace", "class", "struct", "union")


def is_documented(entity):
    return any("".join(entity.find(part).itertext()).strip()
               for part in ("briefdescription", "detaileddescription", "inbodydescription") if entity.find(part) is not None)


def names_of(compound):
    """Pairs (name, entity) of a compound and what is in it, as far as it can be reached from outside."""
    owner = compound.find("compoundname").text
    yield owner, compound
    for member in compound.iter("memberdef"):
        if member.get("prot") == "private" or member.get("kind") == "friend":
            continue
        name = f"{owner}::{member.find('name').text}"
        yield name, member
        for value in member.iter("enumvalue"):
            yield f"{name}::{value.find('name').text}", value


def main():
    count, bare = 0, set()
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.xml")):
        for compound in ElementTree.parse(path).getroot().iter("compounddef"):
            if compound.get("kind") not in COMPOUNDS or compound.get("prot") == "private":
                continue
            for name, entity in names_of(compound):
                if name.startswith("std"):
                    continue
                count += 1
                inherited = entity.find("reimplements") is not None  # the comment of the base class holds
                if not is_documented(entity) and not inherited:
                    bare.add(name)
    for name in sorted(bare):
        print(f"check_api: {name} has no comment")
    if count < 500:
        print(f"check_api: only {count} names were found")
    print(f"check_api: {count} public names, {len(bare)} without a comment")
    sys.exit(1 if bare or count < 500 else 0)


if __name__ == "__main__":
    main()
