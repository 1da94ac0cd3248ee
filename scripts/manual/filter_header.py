#!/usr/bin/python3
"""Hands a header to Doxygen, line for line.

The comment at the head of a header belongs to the class that the file is named after, or to the file if there is none. What holds for
every element is said here once: its Parameters, the name in them and the constructor that Model::add calls; so is what serialize() is.
Destructors, defaulted and deleted functions are left out, as the language says what they do.
"""

import pathlib
import re
import sys

HEAD = re.compile(r"\A#pragma once\n\n(?=///)")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
CLASS = re.compile(r"^(class|struct) (\w+)\b[^;{]*\{", re.MULTILINE)
LEFT_OUT = re.compile(r"^ +(?:virtual |friend |constexpr )*(?:[^;{}/\n]*\) ?(?:const |noexcept )*= (?:default|delete)|~\w+\(\)(?: override)?);",
                      re.MULTILINE)
PARAMETERS = re.compile(r"(?<=[^/]\n)  struct Parameters \{")
NAME = re.compile(r"(struct \w*Parameters \{\n +std::string name;)(?! *///<)")
SERIALIZE = re.compile(r"(\n *(?!///)[^\n]*\n)( +template <class Archive>\n +void serialize\()")
CONSTRUCTOR = re.compile(r"(\n *(?!///)[^\n]*\n)(  (?:explicit )?\w+\((?:const )?Parameters&? \w+, const Model& model\);)")


def subject(path, text):
    """What the comment at the head is about, as Doxygen's command."""
    stem = path.stem.replace("_", "")
    for keyword, name in CLASS.findall(text):
        if name.lower() in (stem, stem + "contact"):
            return f"\\{keyword} {NAMESPACE.search(text)[1]}::{name}"
    return "\\file"


def main():
    path = pathlib.Path(sys.argv[1])
    text = path.read_text()
    head = subject(path, text)
    text = HEAD.sub(lambda _: f"\n/// {head}\n", text)
    text = PARAMETERS.sub("  /** What Model::add takes for this element. */ struct Parameters {", text)
    text = NAME.sub(r"\1 ///< of the element, unique in its model", text)
    text = SERIALIZE.sub(r"\1/** What a checkpoint keeps; see Archive. */ \2", text)
    text = CONSTRUCTOR.sub(r"\1/** Called by Model::add. Throws ModelError, which names the element and the parameter. */ \2", text)
    sys.stdout.write(LEFT_OUT.sub("", text))


if __name__ == "__main__":
    main()
