#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks `spalt analyze` about shaders, code objects and assembly, and about what is none of these.

usage: tests/command_line/analyze.py PATH_TO_SPALT
The last line is "N passed, N failed".
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / 'tests/run/programs/nbody.comp'
GRAPHICS = [ROOT / 'tests/fuzz/seeds/varyings.vert', ROOT / 'tests/fuzz/seeds/varyings.frag']
TARGETS = ('gfx900', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1150', 'gfx1200')
passed = failed = 0


def check(name, condition, detail=''):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f'FAILED {name}: {detail}')


def spalt(*arguments):
    return subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)


def analyze(*arguments):
    run = spalt('analyze', '--json', *arguments)
    return json.loads(run.stdout) if run.returncode == 0 else []


def sum_of(program, key):
    """Over the blocks, each as often as it is executed, jumps included."""
    jumps = sum(b['times_taken'] * b['branch_cycles'] for b in program['blocks']) if key == 'cycles' else 0
    return jumps + sum(b['times'] * b[key] for b in program['blocks'])


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for target in TARGETS:
        elf, assembly = folder / 'nbody.elf', folder / 'nbody.s'
        spalt('compile', PROGRAM, '--target', target, '--wave', 64, '-o', elf)
        assembly.write_text(spalt('compile', PROGRAM, '--target', target, '--wave', 64, '--emit', 'asm').stdout)
        of_shader, of_elf = analyze(PROGRAM, '--target', target, '--wave', 64), analyze(elf)
        of_text = analyze(assembly, '--target', target, '--wave', 64, '--lds', 1024, '--invocations', 64)
        check(f'{target}: all forms', len(of_shader) == len(of_elf) == len(of_text) == 1)
        if not (of_shader and of_elf and of_text):
            continue
        check(f'{target}: the ELF', {**of_elf[0], 'file': ''} == {**of_shader[0], 'file': ''})
        check(f'{target}: the text', of_text[0]['blocks'] == of_elf[0]['blocks'] and of_text[0]['latency'] == of_elf[0]['latency'])
        check(f'{target}: waves', of_text[0]['waves_per_simd'] == of_elf[0]['waves_per_simd'], (of_text[0], of_elf[0]))
        check(f'{target}: the sum', abs(sum_of(of_elf[0], 'cycles') - of_elf[0]['latency']) < 0.01)
        # 64 iterations in each of the assumed 7 of the loop around it.
        check(f'{target}: the loop of 64', any(b['times'] == 448 for b in of_elf[0]['blocks']), [b['times'] for b in of_elf[0]['blocks']])

    elf = folder / 'pipeline.elf'
    spalt('compile', *GRAPHICS, '--target', 'gfx1030', '-o', elf)
    programs = analyze(elf)
    check('a pipeline', [p['program'] for p in programs] == ['_amdgpu_vs_main', '_amdgpu_ps_main'], [p['program'] for p in programs])

    run = spalt('analyze', PROGRAM, '--asm')
    check('the listing', run.returncode == 0 and 'B0: ; 1.00 times' in run.stdout and 'throughput' in run.stdout, run.stderr)
    listed = analyze(PROGRAM, '--asm')
    check('instructions in JSON', listed and sum(len(b['listing']) for b in listed[0]['blocks']) == listed[0]['instructions'])

    (folder / 'bad.s').write_text('v_mov_b32 v0, 1\nnonsense v0\n')
    (folder / 'open.s').write_text('v_mov_b32 v0, 1\n')
    (folder / 'bad.elf').write_bytes(b'\x7fELF' + bytes(100))
    for file, code, text in (('bad.s', 2, "bad.s:2: 'nonsense' is no instruction"), ('open.s', 2, 'control leaves the code at its end'),
                             ('bad.elf', 2, 'bad.elf: '), ('absent.s', 2, 'absent.s')):
        run = spalt('analyze', folder / file)
        check(file, run.returncode == code and text in run.stderr, (run.returncode, run.stderr))
    run = spalt('analyze', folder / 'open.s', PROGRAM)
    check('one bad file of two', run.returncode == 2 and 'nbody' in run.stdout, run.stderr)
    run = spalt('analyze', PROGRAM, '--target', 'gfx700')
    check('an unknown target', run.returncode == 3, run.returncode)

print(f'{passed} passed, {failed} failed')
sys.exit(failed != 0)
