#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A dispatch that fails in the Vulkan driver fails in the same way when `spalt dispatch` runs its dump.

usage: dump.py VKRUN SPALT MANIFEST PROGRAM
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

VKRUN, SPALT, MANIFEST, PROGRAM = sys.argv[1:]
STEPS = 9  # every program has more instructions


def run_driver(folder):
    """Returns the path of the dump and the message of the driver."""
    environment = {**os.environ, 'VK_DRIVER_FILES': MANIFEST, 'VK_ICD_FILENAMES': MANIFEST, 'SPALT_ICD_LOG': '1',
                   'SPALT_ICD_STEPS': str(STEPS), 'SPALT_ICD_DUMP': str(folder), 'SPALT_ICD_TARGET': 'gfx1030'}
    result = subprocess.run([VKRUN, PROGRAM], env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode != 0, 'the program must fail'
    (line,) = [line for line in result.stderr.splitlines() if line.startswith('spalt: ')]
    path = re.search(r'shown again by: spalt dispatch (\S+)$', line)
    assert path, line
    return pathlib.Path(path.group(1)), line


def run_dispatch(path, *options):
    return subprocess.run([SPALT, 'dispatch', path, *options], capture_output=True, text=True, timeout=60, check=False)


def main():
    with tempfile.TemporaryDirectory() as folder:
        first, message = run_driver(folder)
        fault = json.loads(first.read_text())['fault']
        assert fault in message, (fault, message)
        again = run_dispatch(first)
        assert again.returncode == 5 and again.stderr == f'spalt: {fault}\n', (again, fault)
        traced = run_dispatch(first, '--trace')
        assert traced.returncode == 5 and traced.stdout.count(' s_') > 1, traced

        second, _ = run_driver(folder)
        assert second.parent != first.parent
        names = sorted(path.name for path in first.parent.iterdir())
        assert {'code.elf', 'dispatch.json', 'memory_0.bin', 'shader.spv'} <= set(names), names
        for name in names:
            assert (first.parent / name).read_bytes() == (second.parent / name).read_bytes(), f'{name} differs'

        text = first.read_text()
        for damaged in (text[:len(text) // 2], text.replace('"code.elf"', '"none"'), '[]',
                        text.replace('"user_data": [', '"user_data": ["x", '), text.replace('0x7f', 'zz7f')):
            first.write_text(damaged)
            result = run_dispatch(first)
            assert result.returncode == 2 and result.stderr.startswith('spalt: '), (damaged[:80], result)
    print('dump: a failing dispatch was written and shown again')


main()
