#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks `spalt formats` about formats of which the Vulkan specification says what they are, and what they must be good for.

usage: tests/command_line/formats.py PATH_TO_SPALT
The last line is "N passed, N failed".
"""
import json
import subprocess
import sys

passed = failed = 0


def check(name, condition, detail=''):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f'FAILED {name}: {detail}')


def formats(*arguments):
    return subprocess.run([sys.argv[1], 'formats', *arguments], capture_output=True, text=True, timeout=60, check=False)


def by_name(run):
    return {row['name']: row for row in json.loads(run.stdout)['formats']}


EXPECTED = {
    'R5G6B5_UNORM_PACK16': {'format': 4, 'block': [1, 1], 'bytes': 2, 'aspects': ['color'], 'number': 'unorm', 'bits': {'r': 5, 'g': 6, 'b': 5}},
    'R8G8B8A8_SRGB': {'format': 43, 'bytes': 4, 'number': 'srgb', 'bits': {'r': 8, 'g': 8, 'b': 8, 'a': 8}},
    'R64_UINT': {'format': 110, 'bytes': 8, 'number': 'uint', 'bits': {'r': 64}},
    'B10G11R11_UFLOAT_PACK32': {'format': 122, 'number': 'ufloat', 'bits': {'r': 11, 'g': 11, 'b': 10}},
    'D24_UNORM_S8_UINT': {'format': 129, 'aspects': ['depth', 'stencil'], 'depth_plane': 125, 'stencil_plane': 127},
    'BC7_UNORM_BLOCK': {'format': 145, 'block': [4, 4], 'bytes': 16},
    'A8_UNORM': {'format': 1000470001, 'bytes': 1, 'bits': {'a': 8}},
}
# "Required Format Support" for compute shaders.
MUST = {
    'R8G8B8A8_UNORM': {'sampled', 'linear_filter', 'storage', 'texel_buffer', 'storage_texel_buffer'},
    'R8G8B8A8_SRGB': {'sampled', 'linear_filter'},
    'R32_UINT': {'sampled', 'storage', 'storage_atomic', 'texel_buffer', 'storage_texel_buffer'},
    'R32G32B32A32_SFLOAT': {'sampled', 'storage', 'texel_buffer', 'storage_texel_buffer'},
    'R16G16B16A16_SFLOAT': {'sampled', 'linear_filter', 'storage'},
    'D32_SFLOAT': {'sampled', 'depth_compare'},
    'BC1_RGBA_UNORM_BLOCK': {'sampled', 'linear_filter'},
}
MUST_NOT = {
    'R32_UINT': {'linear_filter', 'depth_compare'},
    'BC7_UNORM_BLOCK': {'storage', 'texel_buffer', 'storage_atomic'},
    'R8G8B8A8_UNORM': {'storage_atomic', 'depth_compare'},
    'D32_SFLOAT': {'texel_buffer'},
}
alone = formats('--json')
check('json', alone.returncode == 0, alone.stderr)
rows = by_name(alone)
for name, fields in EXPECTED.items():
    for field, value in fields.items():
        check(f'{name} {field}', rows[name].get(field) == value, rows[name].get(field))
check('no uses without a processor', 'uses' not in rows['R8_UNORM'])
numbers = [row['format'] for row in json.loads(alone.stdout)['formats']]
check('ascending', numbers == sorted(set(numbers)))
for target in ('gfx900', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1150', 'gfx1200'):
    run = formats('--target', target, '--json')
    check(target, run.returncode == 0 and json.loads(run.stdout)['target'] == target, run.stderr)
    rows = by_name(run)
    for name, uses in MUST.items():
        check(f'{target} {name}', uses <= set(rows[name]['uses']), rows[name]['uses'])
    for name, uses in MUST_NOT.items():
        check(f'{target} {name} not', not uses & set(rows[name]['uses']), rows[name]['uses'])
text = formats('--target', 'gfx1030')
lines = text.stdout.splitlines()
check('a line for each', len(lines) == len(numbers) + 1, len(lines))
check('text', any(line.startswith('145 ') and 'BC7_UNORM_BLOCK' in line and '4x4' in line and 'sampled' in line for line in lines), text.stdout[:500])
check('unknown target', formats('--target', 'gfx1').returncode == 3)
print(f'{passed} passed, {failed} failed')
sys.exit(failed != 0)
