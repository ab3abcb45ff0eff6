#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a header with an identifier of what the library is built from.

It is a hash of the version, the compiler, the options that change code, and every file below src/ and include/ with its name. Git has no part in
it, so that a tarball and a checkout agree. The header is only touched when the identifier changes.

usage: build_id.py ROOT OUTPUT [WORD...]     words: version, compiler, options
"""
import hashlib
import pathlib
import sys

ENDINGS = {'.cpp', '.h', '.hpp', '.def', '.py', '.txt', '.build', '.inc'}


def identifier(root, words):
    digest = hashlib.sha256('\0'.join(words).encode())
    files = [path for folder in ('src', 'include', 'tools/gen') for path in (root / folder).rglob('*')
             if path.is_file() and path.suffix in ENDINGS]
    for path in sorted(files, key=lambda p: p.relative_to(root).as_posix()):
        content = path.read_bytes()
        digest.update(f'\0{path.relative_to(root).as_posix()}\0{len(content)}\0'.encode())
        digest.update(content)
    return digest.hexdigest()[:32]


def main():
    root, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    text = ('// SPDX-License-Identifier: MIT\n// Made by tools/gen/build_id.py.\n#pragma once\n'
            f'#define SPALT_BUILD_IDENTIFIER "{identifier(root, sys.argv[3:])}"\n')
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


main()
