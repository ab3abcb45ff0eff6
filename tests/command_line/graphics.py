#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spalt compile on vertex and fragment shaders: pipelines, shaders alone, and what is said of a state that is wrong.

usage: graphics.py SPALT
The last line is "N passed, N failed". LLVM's tools look at the ELFs.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

SPALT = pathlib.Path(sys.argv[1]).absolute()
TARGETS = ['gfx900', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1150', 'gfx1200']
VERTEX = '''#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 passed;
layout(location = 1) out vec4 not_read;
void main() { gl_Position = position; passed = color; not_read = color.yxwz; }
'''
FRAGMENT = '''#version 450
layout(location = 0) in vec4 passed;
layout(location = 0) out vec4 target;
void main() { target = passed; }
'''
COMPUTE = '''#version 450
layout(local_size_x = 64) in;
void main() { }
'''
STATE = {'vertex_bindings': [{'stride': 32}],
         'vertex_attributes': [{'format': 'R32G32B32A32_SFLOAT'}, {'format': 'R32G32B32A32_SFLOAT', 'offset': 16}],
         'color_targets': [{'format': 'R8G8B8A8_UNORM'}]}
# A change of the state, and what is said.
WRONG_STATES = [
    ({'vertex_attribute': []}, 'there is no member "vertex_attribute"'),
    ({'topology': 'triangles'}, '/topology: expected one of point_list'),
    ({'samples': -1}, '/samples: expected a number'),
    ({'samples': 3}, 'samples must be 1, 2, 4, 8 or 16'),
    ({'alpha_to_one': 1}, '/alpha_to_one: expected true or false'),
    ({'color_targets': {}}, '/color_targets: expected a list'),
    ({'color_targets': [3]}, '/color_targets/0: expected an object'),
    ({'color_targets': [{'format': 'RGBA'}]}, '/color_targets/0/format: expected a format'),
    ({'color_targets': [{'write_mask': 'rx'}]}, '/color_targets/0/write_mask: expected letters'),
    ({'vertex_bindings': []}, 'is in binding 0, which is not described'),
    ({'vertex_attributes': [{}]}, 'has no format'),
    ({'topology': 'patch_list'}, 'not supported'),
]


def spalt(*arguments):
    return subprocess.run([SPALT, *map(str, arguments)], capture_output=True, timeout=120, text=True, errors='replace')


def check_elf(elf, target, symbols):
    """What is wrong with the ELF, or None."""
    metadata = spalt('metadata', elf)
    if metadata.returncode != 0 or 'findings' in metadata.stderr:
        return metadata.stdout + metadata.stderr
    listing = subprocess.run(['llvm-objdump-19', '-d', f'--mcpu={target}', str(elf)], capture_output=True, text=True, timeout=60).stdout
    return next((f'no {symbol} in\n{listing}' for symbol in symbols if f'<{symbol}>' not in listing), None)


def vertex_symbol(target):
    return '_amdgpu_vs_main' if target.startswith(('gfx9', 'gfx10')) else '_amdgpu_gs_main'


def compile_to_elf(folder, target, *arguments):
    elf = folder / 'out.elf'
    done = spalt('compile', *arguments, '--target', target, '-o', elf)
    return elf, done.stderr if done.returncode != 0 else None


def check_pipelines(folder):
    for target in TARGETS:
        vertex, fragment, state = folder / 'a.vert', folder / 'a.frag', folder / 'state.json'
        for shaders in ((vertex, fragment), (fragment, vertex), (vertex, fragment, '--state', state)):
            elf, wrong = compile_to_elf(folder, target, *shaders)
            yield f'pipeline {target}', wrong or check_elf(elf, target, [vertex_symbol(target), '_amdgpu_ps_main'])
        elf, wrong = compile_to_elf(folder, target, vertex)
        yield f'vertex alone {target}', wrong or check_elf(elf, target, [vertex_symbol(target), '_amdgpu_ps_main'])
        elf, wrong = compile_to_elf(folder, target, fragment)
        yield f'fragment alone {target}', wrong or check_elf(elf, target, ['_amdgpu_ps_main'])


def check_printing(folder):
    done = spalt('compile', folder / 'a.vert', folder / 'a.frag', '--emit', 'asm', '--stats')
    for text in (f'; {folder}/a.vert', f'; {folder}/a.frag', 's_endpgm', f'shader          {folder}/a.frag', 'vgprs'):
        yield f'prints {text}', None if text in done.stdout else done.stdout + done.stderr


def check_apart(folder):
    """Stage objects link to the bytes of a compile of both."""
    whole, wrong = compile_to_elf(folder, 'gfx1100', folder / 'b.vert', folder / 'a.frag')
    if wrong:
        yield 'apart', wrong
        return
    expected = whole.read_bytes()
    for name in ('b.vert', 'a.frag'):
        done = spalt('compile', folder / name, '--target', 'gfx1100', '--emit', 'stage', '-o', folder / f'{name}.stage')
        if done.returncode != 0:
            yield 'apart', done.stderr
            return
    done = spalt('link', folder / 'b.vert.stage', folder / 'a.frag.stage', '--target', 'gfx1100', '-o', folder / 'linked.elf')
    yield 'apart', done.stderr if done.returncode != 0 else None if (folder / 'linked.elf').read_bytes() == expected else 'the bytes differ'


def check_wrong(folder):
    for change, message in WRONG_STATES:
        (folder / 'wrong.json').write_text(json.dumps(STATE | change))
        done = spalt('compile', folder / 'a.vert', '--state', folder / 'wrong.json', '-o', folder / 'out.elf')
        yield f'refuses {change}', None if done.returncode not in (0, 5) and message in done.stderr else f'{done.returncode}: {done.stderr}'
    (folder / 'wrong.json').write_text('{')
    for arguments, message in (((folder / 'a.vert', '--state', folder / 'wrong.json'), 'is no JSON'),
                               ((folder / 'a.vert', folder / 'a.comp'), 'a vertex and a fragment shader'),
                               ((folder / 'a.vert', folder / 'a.vert'), 'a vertex and a fragment shader'),
                               ((folder / 'a.vert', folder / 'a.frag', '--emit', 'stage'), '--emit stage and --body are for one shader')):
        done = spalt('compile', *arguments, '-o', folder / 'out.elf')
        yield f'refuses {message}', None if done.returncode not in (0, 5) and message in done.stderr else f'{done.returncode}: {done.stderr}'


def check_bench(folder):
    """Numbers of a list of pipelines: those of the compile command, with and without a state in the list."""
    shaders = {'vertex': 'a.vert', 'fragment': 'a.frag'}
    lists = [('with a state', {'state': STATE}, ('--state', folder / 'state.json')), ('derived', {}, ())]
    for name, member, state in lists:
        (folder / 'list.json').write_text(json.dumps([{'name': 'p'} | shaders | member]))
        done = spalt('bench', '--pipelines', folder / 'list.json', '--repeat', 1, '--json', '--asm')
        expected = spalt('compile', folder / 'a.vert', folder / 'a.frag', *state, '--emit', 'asm').stdout
        row = json.loads(done.stdout)[0] if done.returncode == 0 else {}
        wrong = next((stage for stage, shader in row.get('shaders', {}).items() if shader['assembly'] not in expected), None)
        yield f'bench {name}', None if row and len(row['shaders']) == 2 and wrong is None else f'{done.stderr} {wrong}'
    for item, message in (({'name': 'p', 'vertex': 'none.vert'}, '/p: '), ({'name': 'p'}, 'expected a vertex shader'), ({}, 'expected a name'),
                          ({'name': 'p', 'vertex': 'a.vert', 'state': {'samples': -1}}, 'state/samples: expected a number'),
                          ({'name': 'p', 'vertex': 'a.vert', 'stages': []}, 'there is no member "stages"'),
                          ({'name': 'p', 'vertex': 'a.vert', 'specialization': {'x': [1]}}, 'lists of words by constant id')):
        (folder / 'list.json').write_text(json.dumps([item]))
        done = spalt('bench', '--pipelines', folder / 'list.json', '--repeat', 1)
        yield f'bench refuses {message}', None if done.returncode == 2 and message in done.stderr else f'{done.returncode}: {done.stderr}'


def main():
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'a.vert').write_text(VERTEX)
        # All that it puts out is read, so that knowing the fragment shader changes nothing.
        (folder / 'b.vert').write_text(VERTEX.replace('layout(location = 1) out vec4 not_read;', '').replace('not_read = color.yxwz;', ''))
        (folder / 'a.frag').write_text(FRAGMENT)
        (folder / 'a.comp').write_text(COMPUTE)
        (folder / 'state.json').write_text(json.dumps(STATE))
        for check in (check_pipelines, check_printing, check_apart, check_wrong, check_bench):
            results += check(folder)
    failed = [(name, wrong) for name, wrong in results if wrong is not None]
    for name, wrong in failed:
        print(f'FAILED {name}: {wrong}')
    print(f'{len(results) - len(failed)} passed, {len(failed)} failed')
    return 1 if failed else 0


sys.exit(main())
