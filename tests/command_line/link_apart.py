#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stage object that one process writes links in another one to the bytes of a direct compile.

usage: link_apart.py SPALT [N/M]     every M-th program of tests/run/programs from the N-th on (1/1), for one target of each generation in turn
The last line is "N passed, N failed". Also: spalt link says what is wrong with bytes that are no stage object.
"""
import pathlib
import subprocess
import sys
import tempfile

SPALT = pathlib.Path(sys.argv[1]).absolute()
FIRST, OF = map(int, sys.argv[2].split('/')) if len(sys.argv) > 2 else (1, 1)
PROGRAMS = pathlib.Path(__file__).absolute().parent.parent / 'run' / 'programs'
TARGETS = ['gfx900', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1150', 'gfx1200']


def spalt(*arguments):
    return subprocess.run([SPALT, *arguments], capture_output=True, timeout=120)


def check_program(program, target, folder):
    stage = pathlib.Path(folder, 'a.stage')
    options = [program, '--entry', 'main', '--target', target]
    direct = spalt('compile', *options, '-o', '-')
    written = spalt('compile', *options, '--emit', 'stage', '-o', stage)
    linked = spalt('link', stage, '--target', target, '-o', '-')
    for done in (direct, written, linked):
        if done.returncode != 0:
            return done.stderr.decode(errors='replace')
    if not direct.stdout.startswith(b'\x7fELF'):
        return 'the compile gave no ELF'
    if direct.stdout != linked.stdout:
        return f'{len(direct.stdout)} bytes compiled, {len(linked.stdout)} linked, which differ'
    return None


def check_damaged(folder):
    stage = pathlib.Path(folder, 'damaged.stage')
    stage.write_bytes(b'no stage object at all')
    done = spalt('link', stage, '-o', '-')
    return None if done.returncode == 2 and done.stderr and not done.stdout else f'exit code {done.returncode}'


def main():
    programs = sorted([*PROGRAMS.glob('*.comp'), *PROGRAMS.glob('*.spvasm')])[FIRST - 1::OF]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        results = [(f'{program.name} {target}', check_program(program, target, folder))
                   for i, program in enumerate(programs) for target in (TARGETS[i % len(TARGETS)],)]
        results.append(('bytes that are no stage object', check_damaged(folder)))
    for name, wrong in results:
        if wrong is None:
            passed += 1
        else:
            failed += 1
            print(f'FAILED {name}: {wrong}')
    print(f'{passed} passed, {failed} failed')
    return 0 if failed == 0 else 1


sys.exit(main())
