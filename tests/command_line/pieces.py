#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spalt compile --body, spalt piece and spalt link: stages in two parts, on every generation and in both wave sizes.

usage: pieces.py SPALT
The last line is "N passed, N failed". LLVM's tools look at the ELFs.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SPALT = pathlib.Path(sys.argv[1]).absolute()
CONFIGURATIONS = [('gfx900', 64)] + [(target, wave) for target in ('gfx1010', 'gfx1030', 'gfx1100', 'gfx1150', 'gfx1200') for wave in (32, 64)]
VERTEX = '''#version 450
layout(location = 0) in vec4 position;
layout(location = 3) in uvec2 color;
layout(location = 0) out vec4 passed;
void main() { gl_Position = position; passed = vec4(color.xyxy); }
'''
FRAGMENT = '''#version 450
layout(location = 0) in vec4 passed;
layout(location = 0) out vec4 target;
layout(location = 2) out ivec2 numbers;
void main() { if (passed.x < 0) discard; target = passed; numbers = ivec2(passed.zw); }
'''
STATE = {'vertex_bindings': [{'stride': 32}, {'binding': 1, 'stride': 8, 'rate': 'instance', 'divisor': 2}],
         'vertex_attributes': [{'format': 'R16G16B16A16_SFLOAT'}, {'location': 3, 'binding': 1, 'format': 'R8G8_UINT'}],
         'color_targets': [{'format': 'R8G8B8A8_UNORM'}, {'format': 'R8G8B8A8_UNORM'}, {'format': 'R16G16_SINT'}]}


def spalt(*arguments):
    return subprocess.run([SPALT, *map(str, arguments)], capture_output=True, timeout=120, text=True, errors='replace')


def make_parts(folder, target, wave):
    """What is wrong, or None."""
    for shader, piece in (('a.vert', 'prolog'), ('a.frag', 'epilog')):
        for arguments in (('compile', folder / shader, '--body', '--emit', 'stage', '--target', target, '--wave', wave, '--verify',
                           '-o', folder / f'{shader}.stage'),
                          ('piece', folder / f'{shader}.stage', '--state', folder / 'state.json', '--target', target, '--verify',
                           '-o', folder / f'{piece}.stage')):
            done = spalt(*arguments)
            if done.returncode != 0:
                return done.stderr
    return None


def instructions(elf, target, wave):
    """Of each entry point, up to its padding."""
    features = [] if wave == 32 or target == 'gfx900' else ['--mattr=+wavefrontsize64']
    listing = subprocess.run(['llvm-objdump-19', '-d', f'--mcpu={target}', *features, str(elf)], capture_output=True, text=True, timeout=60).stdout
    stages, lines = {}, None
    for line in listing.splitlines():
        if symbol := re.fullmatch(r'[0-9a-f]+ <(.*)>:', line):
            lines = stages.setdefault(symbol[1], [])
        elif lines is not None and line.strip() and 's_code_end' not in line:
            lines.append(line.split('//')[0].split())
    return stages


def check_linked(folder, target, wave):
    elf = folder / 'out.elf'
    done = spalt('link', *(folder / f'{part}.stage' for part in ('epilog', 'a.vert', 'a.frag', 'prolog')), '--target', target, '-o', elf)
    if done.returncode != 0:
        return done.stderr
    metadata = spalt('metadata', elf)
    if metadata.returncode != 0 or 'findings' in metadata.stderr:
        return metadata.stdout + metadata.stderr
    parts = instructions(elf, target, wave)
    done = spalt('compile', folder / 'a.vert', folder / 'a.frag', '--state', folder / 'state.json', '--target', target, '--wave', wave, '-o', elf)
    if done.returncode != 0:
        return done.stderr
    whole = instructions(elf, target, wave)
    for stage in sorted(whole):
        # What pieces do is what whole stages do, and each program has one end.
        for opcode in ('buffer_load', 'exp', 's_endpgm'):
            lines = [sorted(line[0] for line in stages.get(stage, []) if opcode in line[0] and 'wait' not in line[0]) for stages in (parts, whole)]
            if lines[0] != lines[1]:
                return f'{stage}: {lines[0]} in parts, {lines[1]} as a whole'
    targets = [line[1] for line in parts['_amdgpu_ps_main'] if line[0] in ('exp', 'export')]
    return None if targets == ['mrt0', 'mrt1'] else f'the pixel stage exports {targets}'


def check_printing(folder):
    done = spalt('piece', folder / 'a.vert.stage', '--state', folder / 'state.json', '--target', 'gfx1200', '--emit', 'asm')
    yield 'assembly', None if 'buffer_load' in done.stdout and 's_endpgm' not in done.stdout else done.stdout + done.stderr
    done = spalt('piece', folder / 'a.frag.stage', '--target', 'gfx1200', '--emit', 'ir')
    yield 'ir', None if 'export_to color.0' in done.stdout else done.stdout + done.stderr


def check_wrong(folder):
    whole = folder / 'whole.stage'
    spalt('compile', folder / 'a.vert', '--target', 'gfx1200', '--emit', 'stage', '-o', whole)
    for arguments, message in ((('piece', whole, '--target', 'gfx1200'), 'is no body'),
                               (('piece', folder / 'a.vert', '--target', 'gfx1200'), 'does not begin with SPALTSTG'),
                               (('link', folder / 'a.vert.stage', '--target', 'gfx1200', '-o', folder / 'out.elf'), 'without the piece'),
                               (('link', folder / 'prolog.stage', '--target', 'gfx1200', '-o', folder / 'out.elf'), 'without the body'),
                               (('compile', folder / 'a.vert', folder / 'a.frag', '--body'), 'are for one shader')):
        done = spalt(*arguments)
        yield f'refuses {message}', None if done.returncode not in (0, 4, 5) and message in done.stderr else f'{done.returncode}: {done.stderr}'


def checks(folder):
    for target, wave in CONFIGURATIONS:
        yield f'{target} wave{wave}', make_parts(folder, target, wave) or check_linked(folder, target, wave)
    yield from check_printing(folder)
    yield from check_wrong(folder)


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'a.vert').write_text(VERTEX)
        (folder / 'a.frag').write_text(FRAGMENT)
        (folder / 'state.json').write_text(json.dumps(STATE))
        for what, wrong in checks(folder):
            if wrong is None:
                passed += 1
            else:
                failed += 1
                print(f'FAILED {what}: {wrong}')
    print(f'{passed} passed, {failed} failed')
    return 0 if failed == 0 else 1


sys.exit(main())
