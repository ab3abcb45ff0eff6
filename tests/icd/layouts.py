#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SPALT_ICD_LAYOUTS=1 has nothing to say about programs that give their images the right layouts.

usage: layouts.py VKRUN MANIFEST FOLDER

FOLDER has run programs. What is said about wrong ones is in tests/unit/icd/image_layout_test.cpp.
"""
import os
import pathlib
import subprocess
import sys

VKRUN, MANIFEST, FOLDER = sys.argv[1:]


def messages_of(program):
    environment = {**os.environ, 'VK_DRIVER_FILES': MANIFEST, 'VK_ICD_FILENAMES': MANIFEST, 'SPALT_ICD_LOG': '1',
                   'SPALT_ICD_LAYOUTS': '1', 'SPALT_ICD_TARGET': 'gfx1030', 'SPALT_ICD_THREADS': '1'}
    result = subprocess.run([VKRUN, str(program)], env=environment, capture_output=True, text=True, timeout=120, check=False)
    has_no_such_image = 'has no image like' in result.stdout + result.stderr  # multisampled
    assert result.returncode == 0 or has_no_such_image, f'{program}: {result.stdout}{result.stderr}'
    return [line for line in result.stderr.splitlines() if line.startswith('spalt: ')], has_no_such_image


def main():
    programs = sorted(pathlib.Path(FOLDER).glob('*.json'))
    found, left_out = [], 0
    for program in programs:
        messages, has_no_such_image = messages_of(program)
        left_out += has_no_such_image
        found += [f'{program.name}: {message}' for message in messages]
    print(''.join(f'{line}\n' for line in found), end='')
    print(f'{len(programs) - left_out} programs, {len(found)} messages')
    return 1 if found or len(programs) - left_out < 20 else 0


sys.exit(main())
