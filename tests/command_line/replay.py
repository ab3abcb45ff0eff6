#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`spalt replay` on archives that foz.py writes: code against `spalt compile`, threads, shards, merging, comparing, damage.

usage: tests/command_line/replay.py SPALT [TEXT]     only tests whose name has TEXT in it
The last line is "N passed, N failed".
"""
import base64
import json
import math
import os
import pathlib
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import foz

SPALT = pathlib.Path(sys.argv[1]).resolve()
PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / 'run' / 'programs'
FOLDER = tempfile.TemporaryDirectory()
# Sets and bindings without gaps and no push constants: there the layout that `spalt compile` derives is that of the rule.
SHADERS = ['aes128', 'atomics_shared', 'bitonic_sort', 'cf_barriers', 'conversions', 'float_transcendental', 'integer_bits', 'local_arrays',
           'packing', 'sha256', 'spec_constants', 'reduction', 'lu_solve', 'crc32', 'n_queens']
TARGETS = ['gfx1030', 'gfx900', 'gfx1200']
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def path(name):
    return pathlib.Path(FOLDER.name, name)


def check(condition, *what):
    if not condition:
        raise AssertionError(' '.join(str(part) for part in what) or 'a check failed')


def spalt(*arguments, timeout=120):
    return subprocess.run([SPALT, *map(str, arguments)], capture_output=True, timeout=timeout, cwd=FOLDER.name)


def replay(*arguments, code=0):
    done = spalt('replay', *arguments, '--progress', 'off')
    check(done.returncode == code, 'exit code', done.returncode, 'of', arguments, done.stderr.decode(), done.stdout.decode()[-1000:])
    return done


def results(*arguments, code=0):
    return json.loads(replay(*arguments, '--json', code=code).stdout)


def words_of(shader):
    """The SPIR-V of a program of tests/run, made once."""
    file = path(f'{shader}.spv')
    if not file.exists():
        source = PROGRAMS / f'{shader}.comp'
        subprocess.run(['glslangValidator', '-V', '--target-env', 'vulkan1.3', '-o', file, source], check=True, capture_output=True)
    data = file.read_bytes()
    return struct.unpack(f'<{len(data) // 4}I', data)


def bindings_of(shader):
    """Bindings by set, as the GLSL declares them."""
    sets = {}
    for layout in re.findall(r'layout\(([^)]*binding[^)]*)\)', (PROGRAMS / f'{shader}.comp').read_text()):
        values = dict(re.findall(r'(set|binding)\s*=\s*(\d+)', layout))
        sets.setdefault(int(values.get('set', 0)), []).append(int(values['binding']))
    return sets


def add_shader(archive, number, shader, **options):
    """A pipeline with the hash `number` and with objects of its own."""
    sets = bindings_of(shader)
    layouts = [archive.set_layout(number * 16 + s, [(b, foz.STORAGE_BUFFER, 1) for b in sorted(bindings)]) for s, bindings in sorted(sets.items())]
    check(sorted(sets) == list(range(len(sets))) and all(sorted(b) == list(range(len(b))) for b in sets.values()), shader, 'has gaps in its bindings')
    layout = archive.pipeline_layout(number, layouts)
    module = archive.module(number, words_of(shader))
    return archive.compute(number, layout, module, **options)


def write(name, archive):
    path(name).write_bytes(archive if isinstance(archive, bytes) else archive.bytes())
    return name


def all_shaders(**options):
    archive = foz.Archive(**options)
    archive.application(1)
    for i, shader in enumerate(SHADERS):
        add_shader(archive, 0x100 + 7919 * i, shader)
    return archive


def pipeline(document, number):
    return next(row for row in document['pipelines'] if row['hash'] == foz.name(number))


@test
def code_is_that_of_a_direct_compile():
    file = write('all.foz', all_shaders())
    for target in TARGETS:
        replay(file, '--target', target, '--save', target)
        for i, shader in enumerate(SHADERS):
            words_of(shader)
            direct = spalt('compile', f'{shader}.spv', '--target', target, '-o', '-')
            saved = path(target) / foz.name(0x100 + 7919 * i)
            check(direct.stdout[:4] == b'\x7fELF' and saved.with_suffix('.elf').read_bytes() == direct.stdout, shader, target)
            check(saved.with_suffix('.spv').read_bytes() == path(f'{shader}.spv').read_bytes(), shader, 'module')


VERTEX = '''#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 0) flat out vec4 passed;
layout(constant_id = 3) const float scale = 1.0;
layout(set = 0, binding = 0) uniform Camera { mat4 camera; };
void main() { gl_Position = camera * vec4(position * scale, 1.0); passed = color; }
'''
FRAGMENT = '''#version 450
layout(location = 0) flat in vec4 passed;
layout(location = 0) out vec4 target;
layout(constant_id = 3) const float scale = 1.0;
void main() { target = passed / scale; }
'''
# What foz.STATES says, as docs/graphics-state.md has it.
STATE = {'vertex_bindings': [{'stride': 12}, {'stride': 8, 'rate': 'instance', 'divisor': 3}], 'topology': 'triangle_strip', 'provoking_vertex': 'last',
         'vertex_attributes': [{'format': 'R32G32B32_SFLOAT'}, {'binding': 1, 'format': 'R8G8B8A8_UNORM', 'offset': 4}], 'samples': 4,
         'min_sample_shading': 0.5, 'alpha_to_coverage': True,
         'color_targets': [{'format': 'B8G8R8A8_UNORM', 'write_mask': 'rgb', 'blend': True, 'blend_reads_alpha': True}]}


def graphics_words():
    words = []
    for suffix, source in (('vert', VERTEX), ('frag', FRAGMENT)):
        path(f'a.{suffix}').write_text(source)
        subprocess.run(['glslangValidator', '-V', '--target-env', 'vulkan1.3', '-o', path(f'a.{suffix}.spv'), path(f'a.{suffix}')], check=True,
                       capture_output=True)
        data = path(f'a.{suffix}.spv').read_bytes()
        words.append(struct.unpack(f'<{len(data) // 4}I', data))
    return words


def graphics_archive():
    """An archive with two modules and a layout for them, and the stages."""
    archive = foz.Archive()
    modules = [archive.module(number, words) for number, words in enumerate(graphics_words(), 1)]
    layout = archive.pipeline_layout(1, [archive.set_layout(1, [(0, 6, 1)])])
    stages = [archive.stage(bit, module, spec={3: 0x40000000}) for bit, module in zip((foz.VERTEX_STAGE, foz.FRAGMENT_STAGE), modules)]
    return archive, layout, stages


def rendering(*formats):
    return [{'sType': foz.RENDERING, 'depthAttachmentFormat': 0, 'stencilAttachmentFormat': 0, 'viewMask': 0, 'colorAttachmentFormats': list(formats)}]


@test
def graphics_code_is_that_of_a_direct_compile():
    archive, layout, stages = graphics_archive()
    archive.render_pass(5, [37, 44], [[0], [1]])
    archive.graphics(10, layout, stages, render_pass=5, subpass=1, **foz.STATES)
    archive.graphics(11, layout, stages[::-1], pNext=rendering(44), **foz.STATES)
    archive.graphics(12, layout, stages[:1], pNext=rendering(), vertexInputState=foz.STATES['vertexInputState'],
                     rasterizationState={**foz.STATES['rasterizationState'], 'rasterizerDiscardEnable': 1})
    file = write('graphics.foz', archive)
    alone = {key: STATE[key] for key in ('vertex_bindings', 'vertex_attributes', 'provoking_vertex')} | {'rasterizer_discard': True}
    for target in TARGETS:
        document = results(file, '--target', target, '--save', f'graphics.{target}')
        check(document['counts']['graphics']['compiled'] == 3, document)
        for numbers, shaders, state in (((10, 11), ('a.vert.spv', 'a.frag.spv'), STATE), ((12,), ('a.vert.spv',), alone)):
            path('state.json').write_text(json.dumps(state))
            direct = spalt('compile', *shaders, '--state', 'state.json', '--spec', '3=2.0', '--target', target, '-o', '-')
            check(direct.stdout[:4] == b'\x7fELF', direct.stderr)
            for number in numbers:
                saved = path(f'graphics.{target}') / foz.name(number)
                check(saved.with_suffix('.elf').read_bytes() == direct.stdout, target, number)
                check(saved.with_suffix('.vert.spv').read_bytes() == path('a.vert.spv').read_bytes(), target, number)
        path('state.json').write_text(json.dumps(STATE))
        printed = spalt('compile', 'a.vert.spv', 'a.frag.spv', '--stats', '--spec', '3=2.0', '--target', target, '--state', 'state.json').stdout.decode()
        counts = {key: [int(number) for number in re.findall(rf'^{key} +(\d+)', printed, re.M)] for key in ('instructions', 'code_bytes', 'vgprs')}
        row = pipeline(document, 10)
        check(row['instructions'] == sum(counts['instructions']) and row['code_bytes'] == sum(counts['code_bytes']), row, counts)
        check(row['vgprs'] == max(counts['vgprs']) and row['workgroup_size'] == [0, 0, 0], row, counts)


@test
def graphics_pipelines_that_are_refused():
    archive, layout, stages = graphics_archive()
    archive.render_pass(5, [37], [[0]])
    archive.render_pass(6, [37], [[3]])
    states = {**foz.STATES, 'pNext': rendering(44)}
    cases = [
        (stages[1:], states, 'invalid', 'not one vertex stage'),
        (stages[:1] * 2, states, 'invalid', 'not one vertex stage'),
        ([*stages, archive.stage(2, 1)], states, None, 'stage of VkShaderStageFlagBits 2'),
        (stages, {**states, 'dynamicState': {'flags': 0, 'dynamicState': [0, 1000352000]}}, None, 'dynamic state 1000352000'),
        (stages, {**states, 'pNext': [{'sType': 1000320002, 'flags': 1}]}, None, 'structure 1000320002'),
        (stages, {**states, 'colorBlendState': {**states['colorBlendState'], 'pNext': [{'sType': 1000148002}]}}, None, 'structure 1000148002'),
        (stages, {**foz.STATES, 'render_pass': 5, 'subpass': 1}, 'invalid', 'has no subpass 1'),
        (stages, {**foz.STATES, 'render_pass': 6}, 'damaged', 'names attachment 3'),
        (stages, {**foz.STATES, 'render_pass': 7}, 'missing', ''),
        (stages, {**states, 'inputAssemblyState': {'topology': 10}}, None, 'patches'),
        (stages, {**states, 'multisampleState': {**states['multisampleState'], 'rasterizationSamples': 3}}, 'invalid', 'samples must be'),
        (stages, {**states, 'vertexInputState': []}, 'damaged', 'is no JSON object'),
    ]
    for number, (stages_of_case, states_of_case, _, _) in enumerate(cases, 100):
        archive.graphics(number, layout, stages_of_case, **states_of_case)
    document = results(write('refused.foz', archive), code=2)
    for number, (_, _, cause, message) in enumerate(cases, 100):
        row = pipeline(document, number)
        check(row.get('cause') == cause and row['status'] == ('failed' if cause else 'unsupported') and message in row['message'], row, message)


@test
def statistics_are_those_of_bench():
    document = results(write('all.foz', all_shaders()), '--jobs', 2)
    check(document['counts']['compute'] == {'compiled': len(SHADERS), 'unsupported': 0, 'failed': 0}, document['counts'])
    for i, shader in enumerate(SHADERS):
        row = pipeline(document, 0x100 + 7919 * i)
        bench = json.loads(spalt('bench', f'{shader}.spv', '--repeat', 1, '--json').stdout)[0]
        for key in ('instructions', 'code_bytes', 'sgprs', 'vgprs'):
            check(row[key] == bench[key], shader, key, row[key], bench[key])
        check(row['spilled_sgprs'] + row['spilled_vgprs'] == bench['spilled'] and row['time_ns'] > 0, shader)


@test
def forms_of_records():
    expected = replay(write('all.foz', all_shaders()), '--json', '--no-times').stdout
    for name, options in (('stored', {'compress': False}), ('unchecked', {'checksum': False}), ('old', {'version': 5})):
        got = replay(write(f'{name}.foz', all_shaders(**options)), '--json', '--no-times').stdout
        check(got.replace(f'{name}.foz'.encode(), b'all.foz') == expected, name)


@test
def modules_in_base64():
    archive = foz.Archive()
    words = words_of('sha256')
    code = base64.b64encode(struct.pack(f'<{len(words)}I', *words)).decode()
    archive.document(foz.MODULE, 'shaderModules', 5, {'flags': 0, 'codeSize': 4 * len(words), 'code': code})
    layout = archive.pipeline_layout(5, [archive.set_layout(5, [(b, foz.STORAGE_BUFFER, 1) for b in bindings_of('sha256')[0]])])
    archive.compute(5, layout, 5)
    results(write('base64.foz', archive))


@test
def any_number_of_threads_gives_the_same():
    file = write('all.foz', all_shaders())
    runs = [replay(file, '--json', '--no-times', '--jobs', jobs).stdout for jobs in (1, 2, 4, 7)]
    check(all(run == runs[0] for run in runs))


@test
def shards_part_the_pipelines_and_merge():
    archive = foz.Archive()
    layout = archive.pipeline_layout(1, [archive.set_layout(1, [(b, foz.STORAGE_BUFFER, 1) for b in bindings_of('sha256')[0]])])
    module = archive.module(1, words_of('sha256'))
    numbers = [archive.compute(number, layout, module) for number in range(1000, 1060)]
    numbers += [archive.ray_tracing(number) for number in range(2000, 2020)]
    file = write('many.foz', archive)
    whole = replay(file, '--json', '--no-times', code=3).stdout
    for count in (1, 2, 3, 5):
        names = [f'{shard}_of_{count}.json' for shard in range(1, count + 1)]
        for shard, name in enumerate(names, 1):
            done = spalt('replay', file, '--shard', f'{shard}/{count}', '-o', name, '--no-times', '--jobs', 2)
            check(done.returncode in (0, 3), done.stderr)
        found = [row['hash'] for name in names for row in json.loads(path(name).read_text())['pipelines']]
        check(sorted(found) == sorted(map(foz.name, numbers)), count, 'shards are no partition')
        check(count == 1 or max(map(found.count, found)) == 1)
        random.Random(count).shuffle(names)
        check(replay('--merge', *names, '--json', '--no-times', code=3).stdout == whole, 'merged', count)
    done = replay('--merge', '1_of_5.json', '4_of_5.json', code=2)
    check(b'2, 3, 5' in done.stderr, done.stderr)
    partly = replay('--merge', '1_of_5.json', '4_of_5.json', '--json', '--no-times', code=2).stdout
    path('partly.json').write_bytes(partly)
    rest = replay('--merge', 'partly.json', '2_of_5.json', '5_of_5.json', '3_of_5.json', '--json', '--no-times', code=3)
    check(rest.stdout == whole, 'merged in two steps')
    for other, reason in (('1_of_5.json', b'has a shard'), ('1_of_3.json', b'number of shards')):
        check(reason in replay('--merge', 'partly.json', other, code=2).stderr, other)
    for bad in ('0/2', '3/2', '1/0', '-1/2', '1', 'a/b', '1/2/3'):
        replay(file, '--shard', bad, code=1)


@test
def results_of_other_settings_do_not_merge():
    archive = foz.Archive()
    add_shader(archive, 7, 'sha256')
    file = write('one.foz', archive)
    replay(file, '-o', 'rdna2.json')
    replay(file, '--target', 'gfx1100', '-o', 'rdna3.json')
    check(b'other settings' in replay('--merge', 'rdna2.json', 'rdna3.json', code=2).stderr)
    archive = foz.Archive()
    add_shader(archive, 8, 'packing')
    replay(write('two.foz', archive), '-o', 'two.json')
    both = results('--merge', 'rdna2.json', 'two.json')
    check([row['hash'] for row in both['pipelines']] == [foz.name(7), foz.name(8)] and len(both['archives']) == 2)


@test
def several_archives():
    first, second = foz.Archive(), foz.Archive()
    add_shader(first, 7, 'sha256')
    add_shader(second, 7, 'sha256')
    add_shader(second, 9, 'packing')
    # A pipeline whose module is in the other archive.
    second.compute(10, 7, 7)
    write('first.foz', first)
    check(len(results('first.foz', write('second.foz', second))['pipelines']) == 3)
    done = replay('first.foz', 'nowhere.foz', code=2)
    check(b'nowhere.foz: cannot be read' in done.stderr and b'1 compiled' in done.stdout, done.stderr, done.stdout)


@test
def specialization():
    values = {2: 11, 5: 9}
    archive = foz.Archive()
    add_shader(archive, 3, 'spec_constants')
    add_shader(archive, 4, 'spec_constants', spec=values)
    replay(write('spec.foz', archive), '--save', 'spec')
    spec = [word for key, value in values.items() for word in ('--spec', f'{key}={value}')]
    direct = spalt('compile', 'spec_constants.spv', '-o', '-', *spec)
    check(direct.stdout and (path('spec') / (foz.name(4) + '.elf')).read_bytes() == direct.stdout, direct.stderr)
    check((path('spec') / (foz.name(3) + '.elf')).read_bytes() != direct.stdout, 'the values changed nothing')


@test
def subgroups():
    archive = foz.Archive()
    add_shader(archive, 1, 'sha256')
    for number, size in ((2, 32), (3, 64), (4, 16)):
        next = [{'sType': foz.REQUIRED_SUBGROUP_SIZE, 'requiredSubgroupSize': size}]
        add_shader(archive, number, 'sha256', stage_next=next)
    file = write('subgroups.foz', archive)
    for target, wave, supported in (('gfx1030', 32, {1: 32, 2: 32, 3: 64}), ('gfx1030', 64, {1: 64, 2: 32, 3: 64}), ('gfx900', 64, {1: 64, 3: 64})):
        rows = results(file, '--target', target, '--wave', wave, code=3)['pipelines']
        got = {int(row['hash'], 16): row['wave_size'] for row in rows if row['status'] == 'compiled'}
        check(got == supported, target, wave, got)
        check('subgroups of 16' in rows[3]['message'], rows[3])
    replay(file, '--target', 'gfx900', '--wave', 32, code=3)


@test
def full_subgroups():
    source = '#version 450\nlayout(local_size_x = %d) in;\nlayout(set = 0, binding = 0) buffer Data { uint data[]; };\n' \
             'void main() { data[gl_GlobalInvocationID.x] = gl_LocalInvocationIndex; }\n'
    archive = foz.Archive()
    layout = archive.pipeline_layout(1, [archive.set_layout(1, [(0, foz.STORAGE_BUFFER, 1)])])
    for number, width in ((1, 32), (2, 64), (3, 48)):
        path('full.comp').write_text(source % width)
        subprocess.run(['glslangValidator', '-V', '-o', path('full.spv'), path('full.comp')], check=True, capture_output=True)
        data = path('full.spv').read_bytes()
        archive.compute(number, layout, archive.module(number, struct.unpack(f'<{len(data) // 4}I', data)), stage_flags=2)
    rows = results(write('full.foz', archive), '--wave', 64, code=2)['pipelines']
    check([row.get('wave_size') for row in rows] == [32, 64, None] and rows[2]['cause'] == 'invalid', rows)


@test
def what_is_not_supported_is_told_from_failures():
    archive = foz.Archive()
    good = add_shader(archive, 1, 'sha256')
    for number in (10, 11):
        archive.ray_tracing(number)
    file = write('rays.foz', archive)
    document = results(file, code=3)
    check(document['counts']['ray_tracing'] == {'compiled': 0, 'unsupported': 2, 'failed': 0})
    check(pipeline(document, 10)['message'] == 'ray tracing pipelines are not supported yet')
    check(b'ray tracing pipelines are not supported yet (2)' in replay(file, code=3).stdout)
    replay(file, '--allow-unsupported')
    check(len(results(file, '--only', 'compute')['pipelines']) == 1)
    check(len(results(file, '--pipeline', foz.name(good))['pipelines']) == 1)
    replay(file, '--pipeline', foz.name(99), code=2)
    # A module whose capability is not supported.
    words = list(words_of('sha256'))
    check(words[5] == 0x20011, 'OpCapability was expected')
    words[6] = 5  # Vector16
    archive.compute(2, 1, archive.module(2, words))
    check(pipeline(results(write('vector16.foz', archive), '--only', 'compute', code=3), 2)['status'] == 'unsupported')
    archive.compute(3, 1, archive.module(3, words_of('sha256')), entry='nowhere')
    row = pipeline(results(write('nowhere.foz', archive), code=2), 3)
    check((row['status'], row['cause']) == ('failed', 'invalid'), row)


@test
def objects_that_are_missing():
    archive = foz.Archive()
    layout = archive.pipeline_layout(1, [77])
    module = archive.module(1, words_of('sha256'))
    archive.compute(1, layout, module)
    archive.compute(2, 66, module)
    sets = archive.set_layout(3, [(b, foz.STORAGE_BUFFER, 1) for b in bindings_of('sha256')[0]] + [(9, 0, 1, [55])])
    archive.compute(3, archive.pipeline_layout(3, [sets]), module)
    archive.compute(4, archive.pipeline_layout(4, []), 44)
    archive.compute(5, 0, module)
    rows = results(write('missing.foz', archive), code=2)['pipelines']
    for row, what in zip(rows, ('descriptor set layout 000000000000004d', 'pipeline layout 0000000000000042', 'sampler 0000000000000037',
                                'shader module 000000000000002c')):
        check(row['cause'] == 'missing' and what in row['message'], row)
    check(rows[4]['cause'] == 'invalid', rows[4])


@test
def unknown_state_is_refused_by_number():
    archive = foz.Archive()
    add_shader(archive, 1, 'sha256', stage_next=[{'sType': 1000999000}])
    sets = archive.set_layout(2, [(b, foz.STORAGE_BUFFER, 1) for b in bindings_of('sha256')[0]] + [(20, 1000440000, 1)])
    archive.compute(2, archive.pipeline_layout(2, [sets]), 1)
    rows = results(write('unknown.foz', archive), code=3)['pipelines']
    check('1000999000' in rows[0]['message'] and '1000440000' in rows[1]['message'] and 'set 0 binding 20' in rows[1]['message'], rows)


@test
def layouts_of_every_kind_of_descriptor():
    """What the shader does not use moves what it uses: more user data or offsets in the table."""
    archive = foz.Archive()
    sampler = archive.sampler(1)
    buffers = [(10 + b, foz.STORAGE_BUFFER, 1) for b in range(3)]
    used = archive.set_layout(1, [(b, foz.STORAGE_BUFFER, 1) for b in bindings_of('sha256')[0]])
    kinds = [(0, 0, 2, [sampler, sampler]), (1, 1, 3), (2, 2, 1), (3, 3, 1), (4, 4, 1), (5, 5, 1), (6, 8, 2), (7, 9, 1), (8, 1000138000, 20),
             (9, foz.MUTABLE, 4), *buffers]
    lists = [[] for _ in kinds]
    lists[9] = [2, 3, 7, 6]
    other = archive.set_layout(2, kinds, next=[{'sType': foz.MUTABLE_TYPES, 'mutableDescriptorTypeLists': lists}])
    module = archive.module(1, words_of('sha256'))
    archive.compute(1, archive.pipeline_layout(1, [used]), module)
    archive.compute(2, archive.pipeline_layout(2, [used, other, 0], push=[(0, 16), (16, 48)]), module)
    rows = results(write('kinds.foz', archive))['pipelines']
    check(rows[0]['code_hash'] == rows[1]['code_hash'], 'a set after the used one changed the code')
    archive.compute(3, archive.pipeline_layout(3, [used] * 200), module)
    row = pipeline(results(write('kinds.foz', archive), code=3), 3)
    check('200 user-data entries' in row['message'], row)


def edited(name, change):
    document = json.loads(path(name).read_text())
    change(document)
    path('edited.json').write_text(json.dumps(document))
    return 'edited.json'


@test
def comparing_finds_what_changed():
    file = write('all.foz', all_shaders())
    replay(file, '-o', 'new.json')
    same = results(file, '--against', 'new.json')['comparison']
    check(same['compiled_in_both'] == len(SHADERS) and same['other_code'] == 0, same)
    for name, change in same['metrics'].items():
        check(name == 'time_ns' or (change['better'], change['worse'], change['geometric_mean']) == (0, 0, 1), name, change)

    rows = json.loads(path('new.json').read_text())['pipelines']
    factors = [2, 4, 1 / 2] + [1] * (len(rows) - 3)
    old = [row['instructions'] * (1 / factor) for row, factor in zip(rows, factors)]
    keep = [int(value) for value in old]

    def change(document):
        for row, value in zip(document['pipelines'], keep):
            row['instructions'] = value
        document['pipelines'][1]['code_hash'] = '0' * 16
    got = results(file, '--against', edited('new.json', change))['comparison']
    mean = math.exp(sum(math.log(row['instructions'] / value) for row, value in zip(rows, keep)) / len(rows))
    metric = got['metrics']['instructions']
    check((metric['worse'], metric['better']) == (2, 1) and got['other_code'] == 1, metric)
    check(abs(metric['geometric_mean'] - mean) < 1e-9 and metric['old_total'] == sum(keep), metric, mean)
    check(metric['new_total'] == sum(row['instructions'] for row in rows))
    text = replay(file, '--against', 'edited.json', '--rows', 1).stdout.decode()
    worst, best = text.split('worst by instructions')[1].split('best by instructions')
    check(rows[1]['hash'] in worst and rows[0]['hash'] not in worst and rows[2]['hash'] in best, text)
    check(' 2 ' in re.search(r'^instructions .*$', text, re.M).group(0))
    text = replay('--merge', 'new.json', '--against', 'edited.json', '--all').stdout.decode()
    check(all(row['hash'] in text.split('worst by')[1] for row in rows[:3]))
    check(rows[3]['hash'] not in text.split('worst by')[1])


@test
def comparing_names_pipelines_that_are_lost():
    archive = foz.Archive()
    add_shader(archive, 1, 'sha256')
    archive.ray_tracing(2)
    file = write('lost.foz', archive)
    replay(file, '-o', 'lost.json', '--allow-unsupported')

    def change(document):
        compiled, other = document['pipelines']
        document['pipelines'] = [compiled, {**compiled, 'kind': 'ray_tracing', 'hash': foz.name(2)}, {**other, 'hash': foz.name(3)}]
    old = edited('lost.json', change)
    done = replay(file, '--against', old, '--allow-unsupported', code=3)
    check(b'no longer compiled (1)' in done.stdout and b'1 only before' in done.stdout, done.stdout.decode())


@test
def a_part_is_compared_with_its_part():
    file = write('all.foz', all_shaders())
    replay(file, '-o', 'whole.json')
    parts = [results(file, '--shard', f'{i}/3', '--against', 'whole.json')['comparison'] for i in (1, 2, 3)]
    parts.append(results(file, '--pipeline', foz.name(0x100), '--against', 'whole.json')['comparison'])
    check(all(part['only_before'] == 0 and part['only_after'] == 0 for part in parts), parts)
    check(sum(part['compiled_in_both'] for part in parts[:3]) == len(SHADERS) and parts[3]['compiled_in_both'] == 1, parts)


@test
def result_files_are_not_trusted():
    archive = foz.Archive()
    add_shader(archive, 1, 'sha256')
    replay(write('one.foz', archive), '-o', 'good.json')
    text = path('good.json').read_text()
    for change in ('', '{}', '[]', 'null', text[:-20], text.replace('"version": 1', '"version": 2'), text.replace('"compiled",', '"other",'),
                   text.replace('"hash":"', '"hash":"x'), text.replace('"sgprs":', '"x":'), text.replace('"done"', '"x"'),
                   text.replace('"instructions":', '"instructions":-'), '[' * 100000, text.replace('"compute",', '"none",')):
        path('bad.json').write_text(change)
        done = replay('--merge', 'bad.json', code=2)
        check(done.stderr.count(b'\n') == 1 and b'bad.json: ' in done.stderr, change[:40], done.stderr)
    replay('one.foz', '--against', 'nowhere.json', code=2)


@test
def applications():
    """Robustness comes from the application that a pipeline is linked to; it changes no code of buffers, so only the reading is tested."""
    archive = foz.Archive()
    add_shader(archive, 1, 'sha256')
    archive.application(10, robust=1)
    archive.application(11, next=[{'sType': foz.ROBUSTNESS_2_FEATURES, 'robustBufferAccess2': 1, 'robustImageAccess2': 1, 'nullDescriptor': 1}])
    archive.link(5, 11, foz.COMPUTE, 1)
    check(results(write('applications.foz', archive))['warnings'] == [])
    archive.add(foz.LINK, 6, b'{"version": 6}')
    archive.add(foz.APPLICATION, 12, b'nothing')
    document = results(write('applications.foz', archive))
    check(len(document['warnings']) == 2 and document['counts']['compute']['compiled'] == 1, document['warnings'])


@test
def a_cut_off_record_is_said_and_the_rest_used():
    archive = all_shaders()
    whole = archive.bytes()
    last = len(archive.records[-1])
    for cut in (1, last // 2, last - 57, last - 56, last - 55, last - 1):
        document = results(write('cut.foz', whole[:-cut]))
        check(document['counts']['compute']['compiled'] == len(SHADERS) - 1, cut)
        check('cut off' in document['archives'][0]['warnings'][0] and not document['archives'][0]['damaged'], document['archives'])
    check(b'cut off' in replay('cut.foz').stderr)
    check(results(write('cut.foz', whole[:-last]))['archives'][0]['warnings'] == [])
    check(results(write('cut.foz', whole[:16]))['pipelines'] == [])


@test
def files_that_are_no_archives():
    good = all_shaders().bytes()
    for data, why in ((b'', b'no Fossilize archive'), (good[:15], b'no Fossilize archive'), (b'x' + good[1:], b'no Fossilize archive'),
                      (good[:15] + b'\x04' + good[16:], b'version 4'), (good[:15] + b'\x07' + good[16:], b'version 7')):
        done = replay(write('bad.foz', data), code=2)
        check(why in done.stderr and done.stderr.count(b'\n') == 1, done.stderr)
    check(b'regular file' in replay('/dev/null', code=2).stderr)


def one_record(tag, payload, **change):
    """An archive whose module, set layout or pipeline is that payload."""
    archive = foz.Archive()
    add_shader(archive, 1, 'sha256')
    place = {foz.SET_LAYOUT: 0, foz.PIPELINE_LAYOUT: 1, foz.MODULE: 2, foz.COMPUTE: 3}[tag]
    archive.records[place] = foz.record(tag, 16 if tag == foz.SET_LAYOUT else 1, payload, **change)
    return archive


@test
def damaged_records_fail_one_pipeline():
    words = words_of('sha256')
    text = b'{"version": 6, "shaderModules": {"0000000000000001": {"flags": 0, "varintOffset": %d, "varintSize": %d, "codeSize": %d}}}\0'
    data = foz.varint(words)
    pipeline_text = b'{"version": 6, "computePipelines": {"0000000000000001": %s}}'
    good = {'crc': 0}
    cases = [
        (foz.MODULE, text % (0, len(data), 4 * len(words)) + data, {'crc': 1}, 'checksum'),
        (foz.MODULE, text % (0, len(data), 4 * len(words)) + data, {'format': 3}, 'compression'),
        (foz.MODULE, text % (0, len(data), 4 * len(words)) + data, {'size': 4000000000}, '64 MiB'),
        (foz.MODULE, text % (0, len(data), 4 * len(words)) + data, {'size': 50000000}, 'more bytes than'),
        (foz.MODULE, text % (0, len(data), 4 * len(words)) + data, {'size': 4}, 'decompressed'),
        (foz.MODULE, text % (0, len(data) + 1, 4 * len(words)) + data, good, 'beyond its data'),
        (foz.MODULE, text % (2**64 - 1, len(data), 4 * len(words)) + data, good, 'beyond its data'),
        (foz.MODULE, text % (0, len(data), 4 * len(words) + 2) + data, good, 'beyond its data'),
        (foz.MODULE, text % (0, len(data), 4 * len(words) + 4) + data, good, 'cannot be decoded'),
        (foz.MODULE, text % (0, len(data), 2**40) + data, good, 'cannot be decoded'),
        (foz.MODULE, text % (0, 6, 4) + b'\xff' * 6, good, 'cannot be decoded'),
        (foz.MODULE, b'', good, 'JSON'),
        (foz.MODULE, b'{"version": 6', good, 'JSON'),
        (foz.MODULE, b'{"version": 4}', good, 'version'),
        (foz.MODULE, b'{"version": 6, "shaderModules": {}}', good, 'its own hash'),
        (foz.MODULE, b'[' * 1000000, good, 'too many values'),
        (foz.MODULE, b'{"version": [' + b'0,' * 3000000 + b'0]}', good, 'too many values'),
        (foz.COMPUTE, pipeline_text % b'[]', good, 'its own hash'),
        (foz.COMPUTE, pipeline_text % b'{"flags": -1}', good, 'flags'),
        (foz.COMPUTE, pipeline_text % b'{"flags": 0, "layout": "zz"}', good, 'no hash'),
        (foz.COMPUTE, pipeline_text % b'{"flags": 0, "layout": "1", "stage": 5}', good, 'no JSON object'),
        (foz.SET_LAYOUT, b'{"version": 6, "setLayouts": {"0000000000000010": {"flags": 0, "bindings": {}}}}', good, 'no list'),
        (foz.PIPELINE_LAYOUT, b'{"version": 6, "pipelineLayouts": {"0000000000000001": {"setLayouts": [5]}}}', good, 'no hash'),
    ]
    for tag, payload, change, why in cases:
        row = results(write('damaged.foz', one_record(tag, payload, **change)), code=2)['pipelines'][0]
        check(row['cause'] == 'damaged' and why in row['message'], row, why)
    # The name of a record is no number: nothing after it can be found.
    bytes_ = bytearray(all_shaders().bytes())
    at = len(foz.MAGIC) + 4 + len(all_shaders().records[0])
    bytes_[at + 30] = ord('z')
    done = replay(write('name.foz', bytes(bytes_)), code=2)
    check(b'no valid name' in done.stderr and b'no pipelines' in done.stdout, done.stderr)


@test
def a_bomb_is_bounded():
    bomb = zlib.compress(b'{"version": 6, "shaderModules": {"0000000000000001": {"flags": 0, "code": "' + b'A' * 60000000 + b'"}}}', 9)
    payload = zlib.decompress(bomb)
    archive = one_record(foz.MODULE, payload, crc=0)
    check(len(archive.bytes()) < 200000)
    for number in range(2, 40):
        archive.compute(number, 1, 1)
    replay(write('bomb.foz', archive), '--jobs', '2', code=2)
    check(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1500000, 'KiB')


@test
def large_descriptions():
    archive = foz.Archive()
    values = {2: 11, 5: 9}
    add_shader(archive, 1, 'spec_constants', spec=values)
    add_shader(archive, 2, 'spec_constants', spec={**values, **{1000 + i: i for i in range(2000)}})
    add_shader(archive, 3, 'spec_constants', entry='x' * 5000000)
    rows = results(write('large.foz', archive), code=2)['pipelines']
    check(rows[0]['code_hash'] == rows[1]['code_hash'], 'a description that was read twice')
    check(rows[2]['cause'] == 'invalid' and len(rows[2]['entry_point']) <= 256 and len(rows[2]['message']) <= 2000)


@test
def heavy_layouts_take_no_memory():
    """Many pipeline layouts that refer to the same large set."""
    archive = foz.Archive()
    heavy = archive.set_layout(1, [(b, foz.STORAGE_BUFFER, 1) for b in range(50000)])
    module = archive.module(1, words_of('sha256'))
    for number in range(1, 400):
        archive.compute(number, archive.pipeline_layout(number, [heavy]), module)
    check(len(archive.bytes()) < 1000000)
    results(write('heavy.foz', archive), '--jobs', 2)
    check(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1500000, 'KiB')


@test
def random_damage_never_crashes():
    pick = random.Random(1)
    archive = foz.Archive(compress=False, checksum=False)
    add_shader(archive, 1, 'sha256')
    add_shader(archive, 2, 'packing', stage_next=[{'sType': foz.REQUIRED_SUBGROUP_SIZE, 'requiredSubgroupSize': 64}])
    archive.application(3)
    for whole in (archive.bytes(), all_shaders().bytes()[:60000]):
        for i in range(100):
            data = bytearray(whole)
            for _ in range(pick.choice((1, 1, 3, 20))):
                data[pick.randrange(16, len(data))] = pick.choice((0, 255, 0x22, 0x7d, 0x30, pick.randrange(256)))
            done = spalt('replay', write('random.foz', bytes(data)), '--json', '--jobs', 2, '--time-limit', 20)
            check(done.returncode in (0, 2, 3), i, done.returncode, done.stderr)
            json.loads(done.stdout)


@test
def a_pipeline_that_takes_too_long_fails_alone():
    archive = foz.Archive()
    add_shader(archive, 1, 'sha256')
    add_shader(archive, 2, 'packing')
    done = replay(write('slow.foz', archive), '--repeat', 100000000, '--time-limit', 1, '--jobs', 2, '--json', code=2)
    rows = json.loads(done.stdout)['pipelines']
    check([row['cause'] for row in rows] == ['time', 'time'] and rows[0]['message'] == 'took longer than 1 s', rows)


@test
def progress_on_a_terminal():
    archive = foz.Archive()
    for number in range(1, 9):
        add_shader(archive, number, 'sha256')
    file = write('progress.foz', archive)
    ours, theirs = os.openpty()
    done = subprocess.Popen([SPALT, 'replay', file, '--repeat', '1000000', '--time-limit', '1', '--json'], stdout=subprocess.DEVNULL, stderr=theirs,
                            cwd=FOLDER.name)
    os.close(theirs)
    shown = b''
    try:
        while True:
            piece = os.read(ours, 4096)
            shown += piece
            if not piece:
                break
    except OSError:  # how the end of a terminal reads
        pass
    check(done.wait() == 2 and b'of 8 pipelines' in shown and b' 3 failed' in shown and b'left' in shown, shown)
    check(shown.endswith(b'\r\x1b[K'), 'the line stays')
    quiet = spalt('replay', file, '--json')
    check(quiet.stderr == b'', quiet.stderr)


@test
def an_interrupted_run_writes_its_results():
    archive = all_shaders()
    file = write('interrupted.foz', archive)
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        command = [SPALT, 'replay', file, '--repeat', '100000000', '--time-limit', '0', '--jobs', '2', '-o', 'interrupted.json', '--progress', 'off']
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=FOLDER.name)
        time.sleep(1)
        running.send_signal(signal_number)
        running.communicate(timeout=60)
        rows = json.loads(path('interrupted.json').read_text())['pipelines']
        check(running.returncode == 2 and len(rows) == len(SHADERS) and {row['cause'] for row in rows} == {'interrupted'}, running.returncode, rows)
    replay('--merge', 'interrupted.json', code=2)


@test
def messages_do_not_reach_the_terminal_as_they_are():
    archive = foz.Archive()
    add_shader(archive, 1, 'sha256', entry='\x1b[31m\nred')
    check(b'\x1b' not in replay(write('escape.foz', archive), code=2).stdout)


@test
def wrong_usage():
    archive = foz.Archive()
    add_shader(archive, 1, 'sha256')
    write('one.foz', archive)
    for arguments in ([], ['one.foz', '--by', 'beauty'], ['one.foz', '--pipeline', 'xyz'], ['one.foz', '--jobs', '5000']):
        replay(*arguments, code=1)
    check(b'gfx1' in replay('one.foz', '--target', 'gfx1', code=3).stderr)


def main():
    passed = failed = 0
    for function in TESTS:
        if len(sys.argv) > 2 and sys.argv[2] not in function.__name__:
            continue
        try:
            function()
            passed += 1
        except (AssertionError, subprocess.TimeoutExpired, json.JSONDecodeError) as wrong:
            failed += 1
            print(f'FAILED {function.__name__}: {wrong}')
    print(f'{passed} passed, {failed} failed')
    return 0 if failed == 0 else 1


sys.exit(main())
