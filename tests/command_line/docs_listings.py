#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands that pages of docs/ show with their output, and compares.

A listing is a block fenced with ```console whose first line is "$ spalt ...", run from the root of the tree; the rest is the output.

usage: tests/command_line/docs_listings.py SPALT [PAGE...]     (default: every page)

SPALT_BLESS=1 rewrites the listings that differ. Read the difference before committing it, and the text around it. The last line is
"N passed, N failed".
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPALT = pathlib.Path(sys.argv[1]).resolve()
LISTING = re.compile(r'(?<=^```console\n)\$ spalt (.*)\n((?:(?!```).*\n)*)(?=```$)', re.MULTILINE)


def output_of(command):
    """None when the command fails; a page shows none that does."""
    done = subprocess.run([SPALT, *shlex.split(command)], cwd=ROOT, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        print(done.stderr.strip())
        return None
    return done.stdout.strip('\n').replace('\t', '    ') + '\n'


def check(page):
    """Numbers of listings that agree and that differ."""
    text = page.read_text()
    counts = [0, 0]

    def replace(match):
        command, expected = match.groups()
        actual = output_of(command)
        if actual is None:
            print(f'FAILED {page.relative_to(ROOT)}: spalt {command}')
            counts[1] += 1
            return match.group(0)
        same = actual == expected
        counts[0 if same else 1] += 1
        if not same:
            print(f'FAILED {page.relative_to(ROOT)}: spalt {command}')
            print(''.join(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True), 'page', 'now')))
        return f'$ spalt {command}\n{actual}'

    new = LISTING.sub(replace, text)
    if os.environ.get('SPALT_BLESS') == '1' and new != text:
        page.write_text(new)
    return counts


def main():
    pages = [pathlib.Path(name).resolve() for name in sys.argv[2:]] or sorted((ROOT / 'docs').rglob('*.md'))
    passed, failed = map(sum, zip(*map(check, pages)))
    if failed:
        print('SPALT_BLESS=1 rewrites them; then read the difference')
    print(f'{passed} passed, {failed} failed')
    return 0 if passed and not failed else 1


sys.exit(main())
