#!/usr/bin/env python3
"""Writes the page of the manual of a program from what its --help and that of its commands say: man_page.py PROGRAM FILE."""

import re
import subprocess
import sys
from pathlib import Path

ENTRY = re.compile(r"^  (\S.*?)(?:\s{2,}(.*))?$")  # an option or a command, and what it does


def help_of(*words):
    return subprocess.run([*words, "--help"], check=True, capture_output=True, text=True).stdout.splitlines()


def roff(text):
    """Text as troff takes it: no hyphens for minus signs, no line that would be a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def sections(lines):
    """The text before the first heading, and what stands below each: (heading, lines)."""
    parts = [("", [])]
    for line in lines:
        if re.fullmatch(r"[A-Z][a-z]+:", line):
            parts.append((line[:-1], []))
        elif line.strip():
            parts[-1][1].append(line)
    return parts


def entries(lines):
    """Entries of a list with their text, which may go on in the next line."""
    found = []
    for line in lines:
        match = ENTRY.match(line)
        if match and not line.startswith("   "):
            found.append([match[1], match[2] or ""])
        elif found and line.startswith(" "):
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
    return found


def commands(program):
    lists = dict(sections(help_of(program)))
    return [name for name, _ in entries(lists.get("Subcommands", []))]


def list_entries(lines):
    return [text for name, what in entries(lines) for text in (".TP", f".B {roff(name)}", roff(what))]


def page(program):
    name = Path(program).name
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
    parts = sections(help_of(program))
    summary = parts[0][1][0].rstrip(".")
    exit_status = [line for _, lines in parts for line in lines if line.startswith("Exit status:")]
    text = [f'.TH {name.upper()} 1 "" "{name} {version}"', ".SH NAME", f"{name} \\- {roff(summary)}"]
    text += [".SH SYNOPSIS", f".B {name}", "COMMAND [OPTIONS]"]
    text += [".SH OPTIONS", *list_entries(dict(parts)["Options"])]
    for command in commands(program):
        # What another program adds asks that program, which may be missing.
        try:
            own = sections(help_of(program, command))
        except subprocess.CalledProcessError:
            continue
        usage = next((line for line in own[0][1] if line.startswith("Usage:")), "")
        text += [f".SH {command.upper()}", f".B {roff(usage.removeprefix('Usage: '))}", ".PP"]
        text += [roff(line) for line in own[0][1] if not line.startswith("Usage:")]
        for heading, lines in own[1:]:
            text += list_entries([line for line in lines if not line.startswith("Exit status:")])
    text += [".SH EXIT STATUS", *(roff(line.removeprefix("Exit status: ")) for line in exit_status)]
    return "\n".join(text) + "\n"


def main():
    program, file = sys.argv[1:]
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Path(file).write_text(page(program))


if __name__ == "__main__":
    main()
