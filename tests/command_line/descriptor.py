#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks `spalt descriptor` about words of which the documents say what they mean, in all forms, and about what is none.

usage: tests/command_line/descriptor.py PATH_TO_SPALT
The last line is "N passed, N failed".
"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

# 2D, 100 x 50, RGBA8, levels 1 and 2 of 3, on gfx1030.
IMAGE = [0x12345678, 56 << 20 | 3 << 30, 24 | 49 << 14 | 1 << 31, 0xfac | 1 << 12 | 2 << 16 | 9 << 28, 0, 2 << 4, 0, 0]
# Linear magnification, nearest minification, border on x, maximum level 15.
SAMPLER = [6, 3840 << 12, 1 << 20 | 1 << 26, 2 << 30]
passed = failed = 0


def check(name, condition, detail=''):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f'FAILED {name}: {detail}')


def descriptor(*arguments):
    return subprocess.run([sys.argv[1], 'descriptor', *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          check=False)


def expect(name, run, fields):
    values = json.loads(run.stdout) if run.returncode == 0 else {}
    for field, value in fields.items():
        check(f'{name} {field}', values.get(field) == value, f'{values.get(field)!r}, not {value!r}; {run.stderr}')


IMAGE_FIELDS = {'address': '0x1234567800', 'type': '9 2d', 'format': '56 8_8_8_8 unorm', 'width': '100', 'height': '50',
                'first_level': '1', 'last_level': '2', 'levels': '3', 'select': 'xyzw'}
SAMPLER_FIELDS = {'clamp_x': '6 border', 'clamp_y': '0 wrap', 'mag_filter': '1 linear', 'min_filter': '0 point',
                  'mip_filter': '1 point', 'max_lod': '15', 'border': '2 opaque_white'}
gfx1030 = ['--target', 'gfx1030', '--json']
expect('image', descriptor(*gfx1030, *map(hex, IMAGE)), IMAGE_FIELDS)
expect('sampler', descriptor(*gfx1030, '--kind', 'sampler', *SAMPLER), SAMPLER_FIELDS)
expect('combined', descriptor(*gfx1030, '--kind', 'combined', *IMAGE, *SAMPLER),
       {**IMAGE_FIELDS, **SAMPLER_FIELDS, 'view_min_lod': '0'})
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / 'memory.bin'
    path.write_bytes(bytes(16) + struct.pack('<8I', *IMAGE))
    expect('file', descriptor(*gfx1030, '--file', path, '--offset', 16), IMAGE_FIELDS)
    beyond = descriptor(*gfx1030, '--file', path, '--offset', 20)
    check('beyond the end', beyond.returncode == 2 and 'beyond its end' in beyond.stderr, beyond.stderr)
    check('no file', descriptor(*gfx1030, '--file', path / 'none').returncode == 2)
text = descriptor('--target', 'gfx1030', *IMAGE)
check('text', 'width               100\n' in text.stdout, text.stdout)
for name, words in (('few', [1]), ('large', [1 << 32] * 8), ('signed', ['--', -1] * 8), ('junk', ['12x'] * 8)):
    check(name, descriptor('--target', 'gfx1030', *words).returncode in (1, 2))
check('unknown target', descriptor('--target', 'gfx1', *IMAGE).returncode == 3)
print(f'{passed} passed, {failed} failed')
sys.exit(failed != 0)
