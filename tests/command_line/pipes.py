#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`spalt replay` on .pipe files of LLPC's form that this test writes: code against that of `spalt compile` and of archives
with the same layout, what cannot be expressed, lines of errors, folders, results, damage.

usage: tests/command_line/pipes.py SPALT [TEXT]     only tests whose name has TEXT in it
The last line is "N passed, N failed".
"""
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

import foz

SPALT = pathlib.Path(sys.argv[1]).resolve()
FOLDER = tempfile.TemporaryDirectory()
TARGETS = ['gfx1030', 'gfx900', 'gfx1200']
TESTS = []

VERTEX = '''#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 0) flat out vec4 passed;
layout(constant_id = 3) const float scale = 1.0;
void main() { gl_Position = vec4(position * scale, 1.0); passed = color; }
'''
FRAGMENT = '''#version 450
layout(location = 0) flat in vec4 passed;
layout(location = 0) out vec4 target;
void main() { target = passed; }
'''
COMPUTE = '''#version 450
layout(local_size_x = 64) in;
layout(constant_id = 7) const uint added = 1;
layout(push_constant) uniform Push { uint first, second; };
layout(set = 0, binding = 0) uniform Uniform { uvec4 words; };
layout(set = 0, binding = 1) buffer Buffer { uint data[]; };
layout(set = 1, binding = 0) uniform sampler2D image;
void main() {
  vec4 texel = textureLod(image, vec2(gl_GlobalInvocationID.xy), 0.0);
  data[gl_GlobalInvocationID.x] = words.z + first * second + added + uint(texel.x);
}
'''
INPUTS = '''[VertexInputState]
binding[0].binding = 0
binding[0].stride = 12
binding[0].inputRate = VK_VERTEX_INPUT_RATE_VERTEX
binding[1].binding = 1
binding[1].stride = 8
binding[1].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE
attribute[0].location = 0
attribute[0].binding = 0
attribute[0].format = VK_FORMAT_R32G32B32_SFLOAT
attribute[0].offset = 0
attribute[1].location = 1
attribute[1].binding = 1
attribute[1].format = VK_FORMAT_R8G8B8A8_UNORM
attribute[1].offset = 4
divisor[0].binding = 1
divisor[0].divisor = 3
'''
GRAPHICS = '''[GraphicsPipelineState]
topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ; a comment
provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
numSamples = 4
perSampleShading = 1
alphaToCoverageEnable = 1
colorBuffer[0].format = VK_FORMAT_B8G8R8A8_UNORM
colorBuffer[0].channelWriteMask = 7
colorBuffer[0].blendEnable = 1
colorBuffer[0].blendSrcAlphaToColor = 1
nggState.enableNgg = 1
'''
# The same, as docs/graphics-state.md has it.
STATE = {'vertex_bindings': [{'stride': 12}, {'stride': 8, 'rate': 'instance', 'divisor': 3}], 'topology': 'triangle_strip', 'provoking_vertex': 'last',
         'vertex_attributes': [{'format': 'R32G32B32_SFLOAT'}, {'binding': 1, 'format': 'R8G8B8A8_UNORM', 'offset': 4}], 'samples': 4,
         'min_sample_shading': 1, 'alpha_to_coverage': True,
         'color_targets': [{'format': 'B8G8R8A8_UNORM', 'write_mask': 'rgb', 'blend': True, 'blend_reads_alpha': True}]}
SPECIALIZED = '''entryPoint = main
specConst.mapEntry[0].constantID = %d
specConst.mapEntry[0].offset = 4
specConst.mapEntry[0].size = 4
specConst.uintData = 17, %s
'''
# Where an archive puts the resources of COMPUTE: a table for each set, then push constants (docs/replay.md).
MAPPING = '''[ResourceMapping]
userDataNode[0].type = DescriptorTableVaPtr
userDataNode[0].visibility = 128
userDataNode[0].offsetInDwords = 0
userDataNode[0].sizeInDwords = 1
userDataNode[0].next[0].type = DescriptorConstBuffer
userDataNode[0].next[0].offsetInDwords = 0
userDataNode[0].next[0].sizeInDwords = 4
userDataNode[0].next[0].set = 0x00000000
userDataNode[0].next[0].binding = 0
userDataNode[0].next[1].type = DescriptorBuffer
userDataNode[0].next[1].offsetInDwords = 4
userDataNode[0].next[1].sizeInDwords = 4
userDataNode[0].next[1].binding = 1
userDataNode[1].type = DescriptorTableVaPtr
userDataNode[1].offsetInDwords = 1
userDataNode[1].sizeInDwords = 1
userDataNode[1].next[0].type = DescriptorCombinedTexture
userDataNode[1].next[0].offsetInDwords = 0
userDataNode[1].next[0].sizeInDwords = 12
userDataNode[1].next[0].set = 1
userDataNode[1].next[0].binding = 0
userDataNode[2].type = PushConst
userDataNode[2].offsetInDwords = 2
userDataNode[2].sizeInDwords = 2
userDataNode[2].set = 0xFFFFFFFF
'''
BUFFER = '''#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Buffer { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] = 7; }
'''
# The buffer of BUFFER as a node of user data or of a table.
NODE = '''[ResourceMapping]
userDataNode[0].type = {}
userDataNode[0].offsetInDwords = 2
userDataNode[0].sizeInDwords = 4
userDataNode[0].set = 0
userDataNode[0].binding = 1
'''
IN_TABLE = '''[ResourceMapping]
userDataNode[0].type = DescriptorTableVaPtr
userDataNode[0].offsetInDwords = 0
userDataNode[0].sizeInDwords = 1
userDataNode[0].next[0].type = {}
userDataNode[0].next[0].offsetInDwords = 0
userDataNode[0].next[0].sizeInDwords = 4
userDataNode[0].next[0].binding = 1
'''


def test(function):
    TESTS.append(function)
    return function


def path(name):
    return pathlib.Path(FOLDER.name, name)


def check(condition, *what):
    if not condition:
        raise AssertionError(' '.join(str(part) for part in what) or 'a check failed')


def spalt(*arguments):
    return subprocess.run([SPALT, *map(str, arguments)], capture_output=True, timeout=120, cwd=FOLDER.name)


def replay(*arguments, code=0):
    done = spalt('replay', *arguments, '--progress', 'off')
    check(done.returncode == code, 'exit code', done.returncode, 'of', arguments, done.stderr.decode(), done.stdout.decode()[-1000:])
    return done


def results(*arguments, code=0):
    return json.loads(replay(*arguments, '--json', code=code).stdout)


def write(name, *parts):
    path(name).parent.mkdir(parents=True, exist_ok=True)
    path(name).write_text('; a comment before the first section\n[Version]\nversion = 75\n\n' + '\n'.join(parts))
    return name


def section(name, text):
    return f'[{name}]\n{text}'


def only(document):
    check(len(document['pipelines']) == 1, document['pipelines'])
    return document['pipelines'][0]


def spirv(name, source):
    path(name).write_text(source)
    subprocess.run(['glslangValidator', '-V', '--target-env', 'vulkan1.3', '-o', path(name + '.spv'), path(name)], check=True, capture_output=True)
    return name + '.spv'


def elf_of(file, target, *options):
    """The ELF that replaying the one pipeline of a file gives."""
    row = only(results(file, '--target', target, '--save', 'saved', *options))
    check(row['status'] == 'compiled', row)
    return path(f'saved/{row["hash"]}.elf').read_bytes()


def code_lines(elf):
    """The instructions of all stages, which `spalt disasm` takes as bare code."""
    table, = struct.unpack_from('<Q', elf, 40)
    sections = [struct.unpack_from('<IIQQQQ', elf, table + 64 * index) for index in range(struct.unpack_from('<H', elf, 60)[0])]
    _, _, _, _, start, size = next(section for section in sections if section[1] == 1 and section[2] & 4)
    path('code').write_bytes(elf[start:start + size])
    return spalt('disasm', '--raw', 'gfx1030', 'code').stdout.decode()


@test
def graphics_code_is_that_of_a_direct_compile():
    path('state.json').write_text(json.dumps(STATE))
    info = SPECIALIZED % (3, '0x40000000')
    vertex, fragment = spirv('a.vert', VERTEX), spirv('a.frag', FRAGMENT)
    for file in (write('g.pipe', section('FsGlsl', FRAGMENT), section('VsGlsl', VERTEX), section('VsInfo', info), INPUTS, GRAPHICS),
                 write('long.pipe', section('VertexShaderGlsl', VERTEX), section('FragmentShaderGlsl', FRAGMENT), section('VsInfo', info), INPUTS, GRAPHICS),
                 write('files.pipe', section('VsGlslFile', 'fileName = a.vert\n'), section('VsInfo', info),
                       section('FsSpvFile', f'fileName = {fragment}\n'), INPUTS, GRAPHICS)):
        for target in TARGETS:
            direct = spalt('compile', vertex, fragment, '--state', 'state.json', '--spec', '3=2.0', '--target', target, '-o', '-')
            check(direct.stdout[:4] == b'\x7fELF', direct.stderr)
            check(elf_of(file, target) == direct.stdout, file, target)


@test
def what_a_file_leaves_out_is_what_shaders_declare():
    file = write('bare.pipe', section('VsGlsl', VERTEX), section('FsGlsl', FRAGMENT))
    direct = spalt('compile', spirv('a.vert', VERTEX), spirv('a.frag', FRAGMENT), '-o', '-')
    check(elf_of(file, 'gfx1030') == direct.stdout and direct.stdout[:4] == b'\x7fELF', direct.stderr)
    check(elf_of(write('f.pipe', section('FsGlsl', FRAGMENT)), 'gfx1030')[:4] == b'\x7fELF', 'a fragment stage alone')


@test
def places_are_those_of_an_archive_with_the_same_layout():
    file = write('c.pipe', section('CsGlsl', COMPUTE), section('CsInfo', SPECIALIZED % (7, 99)), MAPPING)
    data = path(spirv('c.comp', COMPUTE)).read_bytes()
    archive = foz.Archive()
    sets = [archive.set_layout(1, [(0, 6, 1), (1, foz.STORAGE_BUFFER, 1)]), archive.set_layout(2, [(0, 1, 1)])]
    layout = archive.pipeline_layout(1, sets, push=[(0, 8)])
    archive.compute(5, layout, archive.module(1, struct.unpack(f'<{len(data) // 4}I', data)), spec={7: 99})
    path('c.foz').write_bytes(archive.bytes())
    for target in TARGETS:
        replay('c.foz', '--target', target, '--save', 'archive')
        check(elf_of(file, target) == path(f'archive/{foz.name(5)}.elf').read_bytes(), target)
    # A place that is another is another code: the comparison above can fail.
    moved = write('moved.pipe', section('CsGlsl', COMPUTE), section('CsInfo', SPECIALIZED % (7, 99)),
                  MAPPING.replace('next[1].offsetInDwords = 4', 'next[1].offsetInDwords = 8'))
    check(elf_of(moved, 'gfx1030') != elf_of(file, 'gfx1030'))
    # Old files have the places in the section of the shader.
    old = write('old.pipe', section('CsGlsl', COMPUTE), section('CsInfo', SPECIALIZED % (7, 99) + MAPPING.split('\n', 1)[1]))
    check(elf_of(old, 'gfx1030') == elf_of(file, 'gfx1030'))


@test
def a_buffer_in_user_data_needs_no_table():
    def loads(file):
        return code_lines(elf_of(file, 'gfx1030')).count('s_load')
    check(loads(write('root.pipe', section('CsGlsl', BUFFER), NODE.format('DescriptorBuffer'))) == 0)
    check(loads(write('table.pipe', section('CsGlsl', BUFFER), IN_TABLE.format('DescriptorBuffer'))) == 1)


@test
def each_stage_sees_its_own_nodes():
    """Both stages have binding 0, at other places."""
    vertex = '#version 450\nlayout(binding = 0) uniform A { vec4 a; };\nvoid main() { gl_Position = a; }\n'
    fragment = '#version 450\nlayout(binding = 0) uniform A { vec4 a; };\nlayout(location = 0) out vec4 target;\nvoid main() { target = a; }\n'
    nodes = '[ResourceMapping]\n'
    for index, (visibility, offset) in enumerate(((2, 0), (64, 64))):
        nodes += f'userDataNode[{index}].visibility = {visibility}\n' + ''.join(
            f'userDataNode[{index}].{member}\n' for member in
            ('type = DescriptorTableVaPtr', f'offsetInDwords = {index}', 'sizeInDwords = 1', 'next[0].type = DescriptorConstBuffer',
             f'next[0].offsetInDwords = {offset}', 'next[0].sizeInDwords = 4', 'next[0].binding = 0'))
    elf = elf_of(write('both.pipe', section('VsGlsl', vertex), section('FsGlsl', fragment), nodes), 'gfx1030')
    loads = re.findall(r's_load_dwordx4 .*', code_lines(elf))
    # The vertex stage's descriptor is at byte 0 of its table, the fragment stage's at byte 256 of its own.
    check(len(loads) == 2 and sum('0x100' in load for load in loads) == 1, loads)


@test
def options_that_code_depends_on():
    file = write('plain.pipe', section('CsGlsl', BUFFER))
    wave = write('wave.pipe', section('CsGlsl', BUFFER), section('CsInfo', 'options.waveSize = 64\noptions.unrollThreshold = 4\n'))
    check(only(results(file))['wave_size'] == 32 and only(results(wave))['wave_size'] == 64)
    robust = write('robust.pipe', section('CsGlsl', BUFFER), section('ComputePipelineState', 'options.extendedRobustness.robustBufferAccess = true\n'))
    check(elf_of(robust, 'gfx1030') == elf_of(file, 'gfx1030', '--robustness', '2'))
    check(only(results(write('w32.pipe', section('CsGlsl', BUFFER), section('CsInfo', 'options.waveSize = 32\n')), '--target', 'gfx900',
                       code=3))['message'].startswith('the stage requires subgroups of 32'))


@test
def what_is_not_supported_is_named():
    geometry = '#version 450\nlayout(points) in;\nlayout(points, max_vertices = 1) out;\nvoid main() {}\n'
    for number, (parts, message) in enumerate((
            ((section('VsGlsl', VERTEX), section('GsGlsl', geometry)), 'geometry shaders are not supported'),
            ((section('rgenGlsl', ''), section('RayTracingPipelineState', '')), 'ray tracing pipelines are not supported yet'),
            ((section('CsHlsl', ''),), 'shaders in HLSL are not supported'),
            ((section('GraphicsPipelineState', ''),), 'there is no shader'),
            ((section('GraphicsLibrary', 'fragment = a\n'),), 'linked from libraries'),
            ((section('VsGlsl', VERTEX), section('GraphicsPipelineState', 'dynamicSampleInfo = 1\n')), 'the number of samples is dynamic'),
            ((section('VsGlsl', VERTEX), section('GraphicsPipelineState', 'colorBuffer[0].format = VK_FORMAT_G8B8G8R8_422_UNORM\n')), 'VK_FORMAT_G8B8G8R8'),
            ((section('CsGlsl', BUFFER), NODE.format('DescriptorBufferCompact')), 'DescriptorBufferCompact in user data'),
            ((section('CsGlsl', BUFFER), NODE.format('InlineBuffer')), 'InlineBuffer in user data'),
            ((section('CsGlsl', BUFFER), NODE.format('DescriptorBuffer').replace('offsetInDwords = 2', 'offsetInDwords = 4000')), 'needs 4004 user-data'),
            ((section('CsGlsl', BUFFER), IN_TABLE.format('PushConst')), 'PushConst in a table'),
            ((section('CsGlsl', BUFFER), IN_TABLE.format('DescriptorTableVaPtr')), 'DescriptorTableVaPtr in a table'),
            ((section('CsGlsl', BUFFER), IN_TABLE.format('DescriptorFmask')), 'DescriptorFmask without its image'),
            ((section('CsGlsl', BUFFER), section('CsInfo', 'specConst.float16Data = 1.0\n')), 'specialization constants as float16Data'))):
        row = only(results(write(f'unsupported{number}.pipe', *parts), code=3))
        check(row['status'] == 'unsupported' and message in row['message'], row, message)


@test
def errors_name_the_line():
    assembly = '; SPIR-V\n; Version: 1.3\nOpCapability Shader\nOpNonsense\n'
    compute = section('CsGlsl', BUFFER)
    vertex = section('VsGlsl', VERTEX)
    # What is wrong, how the line starts that is named, what is said of it.
    for number, (parts, start, message) in enumerate((
            ((section('CsGlsl', BUFFER.replace('= 7', '= nothing')),), 'void main', 'nothing'),
            ((section('CsSpirv', assembly),), 'OpNonsense', 'OpNonsense'),
            ((compute, '[ResourceMapping]\nuserDataNode[0].type = Nonsense'), 'userDataNode', 'no node type Nonsense'),
            ((compute, '[ResourceMapping]\n\nuserDataNode[0].binding = 1'), 'userDataNode', 'the node has no type'),
            ((compute, '[ResourceMapping]\nuserDataNode'), 'userDataNode', 'expected "member = value"'),
            ((compute, '[ResourceMapping]\nuserDataNode[x].type = DescriptorBuffer'), 'userDataNode', 'expected the name of a member'),
            ((compute, '[ResourceMapping]\nuserDataNode[0].type.type = DescriptorBuffer'), 'userDataNode', 'no such member'),
            ((compute, '[CsInfo]\nspecConst.mapEntry[0].size = lots'), 'specConst', 'must be a number'),
            ((compute, '[CsInfo]\nspecConst.uintData = 1, two'), 'specConst', 'must be a list of numbers'),
            ((compute, '[Nonsense]\n'), '[Nonsense]', 'has no section [Nonsense]'),
            ((compute, '[CsGlsl]; twice'), '[CsGlsl]; twice', 'a second compute shader'),
            ((compute, '[VsGlsl]'), '[VsGlsl]', 'a vertex shader beside'),
            ((vertex, '[GraphicsPipelineState]\ntopology = TRIANGLES'), 'topology', 'no topology TRIANGLES'),
            ((vertex, '[VertexInputState]\nbinding[0].inputRate = SOMETIMES'), 'binding[0]', 'no input rate SOMETIMES'))):
        file = write(f'wrong{number}.pipe', *parts)
        line = next(at for at, text in enumerate(path(file).read_text().split('\n'), 1) if text.startswith(start))
        row = only(results(file, code=2))
        check(row['cause'] == 'invalid' and f'{file}:{line}:' in row['message'] and message in row['message'], row, line, message)
    missing = only(results(write('missing.pipe', section('CsSpvFile', 'fileName = none.spv\n')), code=2))
    check(missing['cause'] == 'missing' and 'missing.pipe:6: the shader none.spv' in missing['message'], missing)
    check(b'nowhere.pipe: cannot be read' in replay('nowhere.pipe', code=2).stderr)


def folder_of_files(folder):
    for i in range(12):
        write(f'{folder}/{i % 3}/p{i}.pipe', section('CsGlsl', BUFFER.replace('= 7', f'= {i}')))
    write(f'{folder}/0/copy.pipe', section('CsGlsl', BUFFER.replace('= 7', '= 0')))
    write(f'{folder}/2/gs.pipe', section('GsGlsl', ''))
    archive = foz.Archive()
    archive.application(1)
    path(f'{folder}/a.foz').write_bytes(archive.bytes())


@test
def folders_jobs_and_shards():
    folder_of_files('folder')
    whole = results('folder', '--no-times', code=3)
    check(whole['counts']['compute']['compiled'] == 12 and whole['counts']['graphics']['unsupported'] == 1, whole['counts'])
    files = [archive['file'] for archive in whole['archives']]
    check(len(files) == 15 and files == sorted(files), files)
    check({row['file'] for row in whole['pipelines']} == {file for file in files if file.endswith('.pipe') and 'p0' not in file}, 'a copy counts once')
    replay('folder', '--no-times', '--jobs', 4, '-o', 'four.json', code=3)
    check(json.loads(path('four.json').read_text()) == whole, 'jobs')
    for shard in ('1/2', '2/2'):
        replay('folder', '--no-times', '--shard', shard, '-o', shard[0] + '.json', '--allow-unsupported')
    merged = results('--merge', '1.json', '2.json', '--no-times', code=3)
    check(merged['pipelines'] == whole['pipelines'], 'shards')
    one = whole['pipelines'][3]
    check(only(results('folder', '--pipeline', one['hash'], '--no-times')) == one)
    path('empty').mkdir()
    check(b'has no .foz or .pipe files' in replay('empty', code=2).stderr)


@test
def comparing():
    folder_of_files('compared')
    replay('compared', '-o', 'old.json', '--allow-unsupported')
    done = replay('compared', '--against', 'old.json', '--max-unroll', '1', '--allow-unsupported').stdout.decode()
    check('12 pipelines compiled in both, 0 to other code; 0 only before, 0 only now' in done, done)
    check('compared/2/gs.pipe' in done and re.search(r'^[0-9a-f]{16} p11 ', done, re.M), done)
    write('compared/0/copy.pipe', section('GsGlsl', ''))
    write('compared/0/p0.pipe', section('CsGlsl', BUFFER.replace('= 7', '= 77')))
    done = replay('compared', '--against', 'old.json', '--allow-unsupported').stdout.decode()
    check('11 pipelines compiled in both, 0 to other code; 1 only before, 1 only now' in done, done)


@test
def random_damage_never_crashes():
    pick = random.Random(1)
    graphics = '\n'.join((section('VsGlsl', VERTEX), section('FsGlsl', FRAGMENT), section('VsInfo', SPECIALIZED % (3, 5)), INPUTS, GRAPHICS))
    compute = '\n'.join((section('CsGlsl', COMPUTE), section('CsInfo', SPECIALIZED % (7, 99)), MAPPING))
    for i in range(150):
        data = bytearray((graphics, compute)[i % 2].encode())
        for _ in range(pick.choice((1, 1, 3, 20))):
            at = pick.randrange(len(data))
            if pick.random() < 0.3:
                del data[at:at + pick.choice((1, 8, 60))]
            else:
                data[at] = pick.choice((0, 255, ord('['), ord(']'), ord('='), ord('.'), ord('9'), ord('\n'), pick.randrange(256)))
        path('random.pipe').write_bytes(bytes(data))
        done = spalt('replay', 'random.pipe', '--json')
        check(done.returncode in (0, 2, 3), i, done.returncode, done.stderr)
        json.loads(done.stdout)


@test
def hostile_numbers():
    """Large indices, sizes and files cost nothing."""
    for number, text in enumerate(('userDataNode[4294967295].type = DescriptorBuffer', 'userDataNode[0]' + '.next[0]' * 400 + '.type = DescriptorBuffer',
                                   IN_TABLE.format('DescriptorBuffer').split('\n', 1)[1] + 'userDataNode[0].next[0].sizeInDwords = 4294967295\n',
                                   IN_TABLE.format('InlineBuffer').split('\n', 1)[1] + 'userDataNode[0].next[0].offsetInDwords = 4294967295\n')):
        done = spalt('replay', write(f'hostile{number}.pipe', section('CsGlsl', BUFFER), '[ResourceMapping]\n' + text), '--json')
        check(done.returncode in (2, 3), number, done.returncode, done.stderr)
    write('targets.pipe', section('FsGlsl', FRAGMENT), '[GraphicsPipelineState]\ncolorBuffer[4294967295].format = VK_FORMAT_R8_UNORM\n')
    check('there is no colour buffer' in only(results('targets.pipe', code=2))['message'])
    with open(path('sparse.pipe'), 'wb') as file:
        file.truncate(1 << 33)
    check(b'larger than 64 MiB' in replay('sparse.pipe', code=2).stderr)


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
