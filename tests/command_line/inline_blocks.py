#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a shader whose uniform blocks are inline in the tables of their sets, as --inline says, and compares with the same
without: same results, other loads.

usage: tests/command_line/inline_blocks.py PATH_TO_SPALT
The last line is "N passed, N failed".
"""
import pathlib
import subprocess
import sys
import tempfile

SHADER = '''#version 450
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint first; };
layout(set = 0, binding = 0) uniform Near { uvec4 near[3]; };
layout(set = 0, binding = 1) buffer Out { uint values[]; };
layout(set = 2, binding = 5) uniform Far { uint factor; };
void main() {
  uint i = gl_LocalInvocationIndex;
  values[i] += near[1].y * factor + near[(i + first) % 3u].x;
}
'''
RUN = ['--push', 'u32:1', '--buffer', '0:0=iota:12', '--buffer', '0:1=u32:100,200,300,400', '--buffer', '2:5=u32:7,0,0,0',
       '--print', '0:1:u32']
# near[1].y is 5, near[k].x is 4 * k.
EXPECTED = [100 + 35 + 4, 200 + 35 + 8, 300 + 35 + 0, 400 + 35 + 4]
passed = failed = 0


def check(name, condition, detail=''):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f'FAILED {name}: {detail}')


def spalt(*arguments):
    return subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)


def main():
    with tempfile.TemporaryDirectory() as folder:
        shader = pathlib.Path(folder) / 'blocks.comp'
        shader.write_text(SHADER)
        choices = ([], ['0:0'], ['2:5'], ['0:0', '2:5'])
        for target in ('gfx900', 'gfx1030', 'gfx1200'):
            for places in choices:
                inline = [word for place in places for word in ('--inline', place)]
                done = spalt('run', shader, '--target', target, '--verify', *inline, *RUN)
                numbers = [int(word) for word in done.stdout.split()]
                check(f'{target} {places}', done.returncode == 0 and numbers == EXPECTED, done.stdout + done.stderr)

        texts = [spalt('compile', shader, '--emit', 'asm', *(['--inline', '2:5'] if inline else [])) for inline in (False, True)]
        loads = [done.stdout.count('s_load_dwordx4') for done in texts]
        check('an inline block has no descriptor to load', loads[1] == loads[0] - 1, loads)

        for words, message in ((['--inline', '0'], 'expected SET:BINDING'), (['--inline', '0:1'], 'no uniform block there'),
                               (['--inline', '0:0', '--inline', '1:0'], '--inline 1:0')):
            done = spalt('compile', shader, *words)
            check(' '.join(words), done.returncode == 1 and message in done.stderr, done.stderr)
    print(f'{passed} passed, {failed} failed')
    return failed != 0


sys.exit(main())
