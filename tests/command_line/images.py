#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`spalt run` with images: PNG and KTX2 files in and out, views, samplers, texel buffers; what is wrong with them; damaged files.

usage: tests/command_line/images.py PATH_TO_SPALT

Expected texels are computed here. The last line is "N passed, N failed".
"""
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPALT = pathlib.Path(sys.argv[1]).resolve()
TARGETS = ('gfx900', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1200')
HEAD = '#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 9) buffer Out { float result[]; };\n'
RGBA8, BC1, R32F = 37, 131, 100
passed = failed = 0


def check(name, condition, detail=''):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f'FAILED {name}: {detail}')


def spalt(*arguments):
    return subprocess.run([SPALT, 'run', *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)


# ---- files ----

def png_bytes(width, height, texels):
    """Of rows of bytes R, G, B, A."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    rows = b''.join(b'\0' + bytes(texels[y * width * 4:(y + 1) * width * 4]) for y in range(height))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 6, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def read_png(path):
    """Width, height and bytes of a PNG with 8 bits and without interlacing, whatever the filters of its rows."""
    data, at, packed = path.read_bytes(), 8, b''
    while at < len(data):
        size, kind = struct.unpack_from('>I4s', data, at)
        if kind == b'IHDR':
            width, height, depth, color = struct.unpack_from('>IIBB', data, at + 8)
            assert depth == 8
        if kind == b'IDAT':
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    raw, stride, previous, texels = zlib.decompress(packed), width * channels, None, []
    for y in range(height):
        kind, row = raw[y * (stride + 1)], list(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        above = previous or [0] * stride
        for i in range(stride):
            a = row[i - channels] if i >= channels else 0
            b, c = above[i], above[i - channels] if i >= channels else 0
            near = min((a, b, c), key=lambda v, p=a + b - c: abs(p - v))
            row[i] = (row[i] + (0, a, b, (a + b) // 2, near)[kind]) % 256
        previous = row
        for x in range(width):
            t = row[x * channels:(x + 1) * channels]
            texels += t if channels == 4 else t + [255] if channels == 3 else t[:1] * 3 + (t[1:] or [255])
    return width, height, texels


def ktx2_bytes(form, width, height, levels, *, depth=0, layers=0, faces=1):
    """Readers need neither the data format descriptor nor the order of the levels."""
    head = b'\xabKTX 20\xbb\r\n\x1a\n' + struct.pack('<9I', form, 1, width, height, depth, layers, faces, len(levels), 0)
    head += struct.pack('<4I2Q', 0, 0, 0, 0, 0, 0)
    offset, index = 80 + 24 * len(levels), b''
    for level in levels:
        index += struct.pack('<3Q', offset, len(level), len(level))
        offset += len(level)
    return head + index + b''.join(levels)


def read_ktx2(path):
    """Fields of the header from the format on, and the levels."""
    data = path.read_bytes()
    fields = struct.unpack_from('<9I', data, 12)
    levels = [struct.unpack_from('<2Q', data, 80 + 24 * i) for i in range(fields[7])]
    return fields, [data[offset:offset + size] for offset, size in levels]


# ---- what shaders read and write ----

def floats(run):
    return [float(line) for line in run.stdout.split()] if run.returncode == 0 else []


def near(values, expected, tolerance=1e-6):
    return len(values) == len(expected) and all(abs(a - b) <= tolerance for a, b in zip(values, expected))


def shader_run(folder, name, body, count, *arguments, declarations='', target='gfx1030'):
    """Runs `body` in one invocation and gives the floats that it wrote."""
    path = folder / (name.replace(' ', '_') + '.comp')
    path.write_text(HEAD + declarations + 'void main() {\n' + body + '\n}\n')
    return spalt(path, '--target', target, '--verify', '--buffer', f'0:9=zeros:{4 * count}', '--print', '0:9:f32', *arguments)


def expect(folder, name, declarations, body, expected, *arguments, tolerance=1e-6):
    for target in TARGETS:
        run = shader_run(folder, name, body, len(expected), *arguments, declarations=declarations, target=target)
        check(f'{name} {target}', near(floats(run), expected, tolerance), f'{floats(run)} not {expected}; {run.stderr}')


def check_blur(folder):
    """The example, against the weighted sum of neighbours."""
    width, height = 24, 20
    values = random.Random(7)
    texels = [values.randrange(256) for _ in range(width * height * 4)]
    (folder / 'photo.png').write_bytes(png_bytes(width, height, texels))

    def at(x, y, c):
        x, y = min(max(x, 0), width - 1), min(max(y, 0), height - 1)
        return texels[(y * width + x) * 4 + c]
    weights = [(dx, dy, (2 - abs(dx)) * (2 - abs(dy))) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    expected = [sum(w * at(x + dx, y + dy, c) for dx, dy, w in weights) / 16
                for y in range(height) for x in range(width) for c in range(4)]
    for target in TARGETS:
        run = spalt(ROOT / 'examples/blur.comp', '--target', target, '--dispatch', '3,3', '--image',
                    f'0:0={folder}/photo.png', '--sampler', '0:0=linear,clamp_to_edge', '--image', f'0:1=zeros:{width}x{height}',
                    '--write', f'0:1={folder}/blurred.png')
        check(f'blur {target} runs', run.returncode == 0, run.stderr)
        if run.returncode == 0:
            size = read_png(folder / 'blurred.png')
            worst = max(abs(a - b) for a, b in zip(size[2], expected))
            check(f'blur {target}', size[:2] == (width, height) and worst < 0.502, f'{size[:2]}, {worst}')
    check('the judge of blur', max(abs(a - b) for a, b in zip(texels, expected)) > 10)


def check_formats_of_png(folder):
    (folder / 'codes.png').write_bytes(png_bytes(2, 1, [0, 64, 128, 255, 255, 10, 188, 51]))
    image = f'{folder}/codes.png'
    fetch = '\n'.join(f'vec4 t{x} = vec4(texelFetch(image, ivec2({x}, 0), 0)); result[{4 * x}] = t{x}.r; result[{4 * x + 1}] = t{x}.g;'
                      f'result[{4 * x + 2}] = t{x}.b; result[{4 * x + 3}] = t{x}.a;' for x in (0, 1))
    codes = [0, 64, 128, 255, 255, 10, 188, 51]
    sampled = 'layout(set = 0, binding = 0) uniform %s image;\n'
    expect(folder, 'png unorm', sampled % 'sampler2D', fetch, [c / 255 for c in codes], '--image', f'0:0={image}')
    expect(folder, 'png uint', sampled % 'usampler2D', fetch, codes, '--image', f'0:0:R8G8B8A8_UINT={image}')

    def linear(code):
        value = code / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
    srgb = [c / 255 if i % 4 == 3 else linear(c) for i, c in enumerate(codes)]
    expect(folder, 'png srgb', sampled % 'sampler2D', fetch, srgb, '--image', f'0:0:R8G8B8A8_SRGB={image}', tolerance=1e-5)
    expect(folder, 'png r32f', sampled % 'sampler2D', fetch, [0, 0, 0, 1, 1, 0, 0, 1], '--image', f'0:0:VK_FORMAT_R32_SFLOAT={image}')
    swizzled = [codes[i] / 255 for i in (2, 1, 0, 3, 6, 5, 4, 7)]
    expect(folder, 'swizzle', sampled % 'sampler2D', fetch, swizzled, '--image', f'0:0={image},swizzle=bgra')
    expect(folder, 'no image', sampled % 'sampler2D', fetch, [0] * 8, '--image', '0:0=null')


def bc1_block(color0, color1, indices):
    return struct.pack('<HHI', color0, color1, sum(i << 2 * n for n, i in enumerate(indices)))


def check_block_compression(folder):
    """Two levels of BC1: red to black with all four indices, then a blue block."""
    indices = [n % 4 for n in range(16)]
    level0 = bc1_block(0x1f << 11, 0, indices) + bc1_block(0x3f << 5, 0, [0] * 16)
    (folder / 'bc1.ktx2').write_bytes(ktx2_bytes(BC1, 8, 4, [level0, bc1_block(0x1f, 0, [0] * 16)]))
    body = ('for (int i = 0; i < 4; ++i) result[i] = texelFetch(image, ivec2(i, 1), 0).r;\n'
            'result[4] = texelFetch(image, ivec2(5, 2), 0).g; result[5] = texelFetch(image, ivec2(1, 1), 1).b;\n'
            'result[6] = float(textureQueryLevels(image)); result[7] = textureLod(image, vec2(0.5), 9.0).b;')
    declarations = 'layout(set = 0, binding = 0) uniform sampler2D image;\n'
    expect(folder, 'bc1', declarations, body, [1, 0, 2 / 3, 1 / 3, 1, 1, 2, 1], '--image', f'0:0={folder}/bc1.ktx2', tolerance=1e-2)
    only = 'result[0] = texelFetch(image, ivec2(0, 0), 0).b; result[1] = float(textureQueryLevels(image));'
    expect(folder, 'one level', declarations, only, [1, 1], '--image', f'0:0={folder}/bc1.ktx2,level=1')


def check_cube_and_arrays(folder):
    """Each face and layer has its own number, in two levels."""
    def levels(layers):
        return [b''.join(struct.pack('<f', 10 * level + layer) * ((4 >> level) ** 2) for layer in range(layers)) for level in (0, 1)]
    (folder / 'cube.ktx2').write_bytes(ktx2_bytes(R32F, 4, 4, levels(6), faces=6))
    (folder / 'array.ktx2').write_bytes(ktx2_bytes(R32F, 4, 4, levels(3), layers=3))
    volume = [b''.join(struct.pack('<f', z) * 16 for z in range(4)), b''.join(struct.pack('<f', 50 + z) * 4 for z in range(2))]
    (folder / 'volume.ktx2').write_bytes(ktx2_bytes(R32F, 4, 4, volume, depth=4))
    ways = ('1,0,0', '-1,0,0', '0,1,0', '0,-1,0', '0,0,1', '0,0,-1')
    body = ''.join(f'result[{i}] = textureLod(image, vec3({way}), {i % 2}.0).r;\n' for i, way in enumerate(ways))
    expect(folder, 'cube', 'layout(set = 0, binding = 0) uniform samplerCube image;\n', body, [0, 11, 2, 13, 4, 15],
           '--image', f'0:0={folder}/cube.ktx2', '--sampler', '0:0=nearest')
    body = 'result[0] = texelFetch(image, ivec3(1, 1, 2), 1).r; result[1] = float(textureSize(image, 0).z);'
    declarations = 'layout(set = 0, binding = 0) uniform sampler2DArray image;\n'
    expect(folder, 'array', declarations, body, [12, 3], '--image', f'0:0={folder}/array.ktx2')
    body = 'result[0] = texelFetch(image, ivec3(1, 1, 1), 0).r; result[1] = float(textureSize(image, 0).z);'
    expect(folder, 'layers', declarations, body, [2, 2], '--image', f'0:0={folder}/array.ktx2,layer=1-2')
    body = 'result[0] = texelFetch(image, ivec2(3, 3), 0).r;'
    declarations = 'layout(set = 0, binding = 0) uniform sampler2D image;\n'
    expect(folder, 'one layer', declarations, body, [1], '--image', f'0:0={folder}/array.ktx2,layer=1')
    body = ('result[0] = textureLod(image, vec3(0.5, 0.5, 0.5), 0.0).r; result[1] = textureLod(image, vec3(0.5), 1.0).r;'
            'result[2] = textureLod(image, vec3(0.5), 0.5).r;')
    expect(folder, '3d', 'layout(set = 0, binding = 0) uniform sampler3D image;\n', body, [1.5, 50.5, 26],
           '--image', f'0:0={folder}/volume.ktx2', '--sampler', '0:0=linear,mip=linear', tolerance=0.2)


def check_samplers(folder):
    (folder / 'ramp.ktx2').write_bytes(ktx2_bytes(R32F, 4, 0, [struct.pack('<4f', 1, 2, 3, 4)]))
    declarations = ('layout(set = 0, binding = 0) uniform texture1D image;\nlayout(set = 0, binding = 1) uniform sampler a;\n'
                    'layout(set = 0, binding = 2) uniform sampler b[2];\nlayout(set = 0, binding = 3) uniform samplerShadow shadow;\n')
    body = '''float x[3] = float[](-0.125, 0.25, 1.375);
    for (int i = 0; i < 3; ++i) {
      result[i] = textureLod(sampler1D(image, a), x[i], 0.0).r;
      result[3 + i] = textureLod(sampler1D(image, b[0]), x[i], 0.0).r;
      result[6 + i] = textureLod(sampler1D(image, b[1]), x[i], 0.0).r;
    }'''
    # Texel centres are at 1/8, 3/8, 5/8 and 7/8. Repeating, mirrored, and with a border of 1.
    expected = [4, 1.5, 2, 1, 1.5, 3, 1, 1.5, 1]
    expect(folder, 'samplers', declarations, body, expected, '--image', f'0:0={folder}/ramp.ktx2', '--sampler', '0:1=linear,repeat',
           '--sampler', '0:2=linear,u=mirrored_repeat', '--sampler', '0:2[1]=linear,clamp_to_border,border=float_opaque_white')
    (folder / 'depth.png').write_bytes(png_bytes(2, 1, [102, 0, 0, 255, 204, 0, 0, 255]))
    shadow = 'layout(set = 0, binding = 0) uniform sampler2DShadow image;\n'
    body = ('result[0] = textureLod(image, vec3(0.25, 0.5, 0.5), 0.0); result[1] = textureLod(image, vec3(0.75, 0.5, 0.5), 0.0);'
            'result[2] = textureLod(image, vec3(0.5, 0.5, 0.5), 0.0);')
    expect(folder, 'shadow', shadow, body, [0, 1, 0.5], '--image', f'0:0:D32_SFLOAT={folder}/depth.png', '--sampler',
           '0:0=linear,compare=less', tolerance=1 / 128)


def check_storage(folder):
    """Writes level 1 from level 0 of the same image, and a volume that is read back from its file."""
    (folder / 'four.png').write_bytes(png_bytes(2, 2, [40, 0, 0, 255] * 2 + [80, 0, 0, 255] * 2))
    half = folder / 'half.comp'
    half.write_text('''#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, rgba8) uniform image2D levels[2];
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy) * 2;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 4; ++i) sum += imageLoad(levels[0], at + ivec2(i & 1, i >> 1));
  imageStore(levels[1], at / 2, sum / 4.0);
}
''')
    volume = folder / 'volume.comp'
    volume.write_text('''#version 450
layout(local_size_x = 4, local_size_y = 2, local_size_z = 3) in;
layout(set = 1, binding = 2, r32ui) uniform uimage3D volume;
void main() {
  uvec3 at = gl_GlobalInvocationID;
  imageStore(volume, ivec3(at), uvec4(at.x + 10 * at.y + 100 * at.z));
}
''')
    for target in TARGETS:
        run = spalt(half, '--target', target, '--image', f'0:0={folder}/four.png,levels=2,level=0', '--image',
                    '0:0[1]=view:0:0,level=1', '--write', f'0:0={folder}/levels.ktx2', '--print', '0:0:texels')
        texels = [[round(float(v) * 255) for v in line.split()] for line in run.stdout.splitlines()]
        check(f'levels {target}', texels == [[40, 0, 0, 255]] * 2 + [[80, 0, 0, 255]] * 2 + [[60, 0, 0, 255]], f'{texels} {run.stderr}')
        if run.returncode == 0:
            fields, levels = read_ktx2(folder / 'levels.ktx2')
            check(f'levels file {target}', fields[0] == RGBA8 and fields[2:4] == (2, 2) and levels[1] == bytes([60, 0, 0, 255]), str(fields))
        run = spalt(volume, '--target', target, '--image', '1:2=zeros:4x2x3', '--write', f'1:2={folder}/out.ktx2')
        fields, levels = read_ktx2(folder / 'out.ktx2') if run.returncode == 0 else ((0,) * 9, [b''])
        expected = struct.pack('<24I', *(x + 10 * y + 100 * z for z in range(3) for y in range(2) for x in range(4)))
        check(f'volume {target}', fields[2:5] == (4, 2, 3) and levels == [expected], f'{fields} {run.stderr}')


def check_texel_buffers(folder):
    declarations = ('layout(set = 0, binding = 0) uniform samplerBuffer texels;\n'
                    'layout(set = 0, binding = 1, r32i) uniform iimageBuffer numbers;\n'
                    'layout(set = 0, binding = 2) uniform Block { vec4 block; };\n')
    body = ('result[0] = texelFetch(texels, 1).g; result[1] = float(textureSize(texels)); imageStore(numbers, 1, ivec4(-7));'
            'result[2] = float(imageLoad(numbers, 0).r); result[3] = block.w;')
    binary = folder / 'numbers.bin'
    arguments = ('--buffer', '0:0:R8G8B8A8_UNORM=u32:0,0xff00', '--buffer', '0:1=i32:-3,5', '--buffer', '0:2=f32:1,2,3,4',
                 '--write', f'0:1={binary}')
    expect(folder, 'texel buffers', declarations, body, [1, 2, -3, 4], *arguments)
    check('texel buffer file', binary.is_file() and struct.unpack('<2i', binary.read_bytes()) == (-3, -7))
    expect(folder, 'texel buffers beside inline data', declarations, body, [1, 2, -3, 4], *arguments, '--inline', '0:2')
    image = 'layout(set = 0, binding = 0) uniform Block { vec4 block; };\nlayout(set = 0, binding = 1) uniform sampler2D image;\n'
    expect(folder, 'an image beside inline data', image, 'result[0] = block.z + texelFetch(image, ivec2(0), 0).r;', [4],
           '--buffer', '0:0=f32:1,2,3,4', '--inline', '0:0', '--image', f'0:1={folder}/one.png')


# ---- what is wrong ----

def check_errors(folder):
    (folder / 'float.comp').write_text(HEAD + 'layout(set = 0, binding = 0) uniform sampler2D image;\n'
                                       'void main() { result[0] = textureLod(image, vec2(0.0), 0.0).r; }\n')
    (folder / 'uint.comp').write_text(HEAD + 'layout(set = 0, binding = 0) uniform usampler2D image;\n'
                                      'void main() { result[0] = float(texelFetch(image, ivec2(0), 0).r); }\n')
    (folder / 'cube.comp').write_text(HEAD + 'layout(set = 0, binding = 0) uniform samplerCube image;\n'
                                      'void main() { result[0] = textureLod(image, vec3(1.0), 0.0).r; }\n')
    (folder / 'store.comp').write_text(HEAD + 'layout(set = 0, binding = 0, rgba8) uniform image2D image;\n'
                                       'layout(set = 0, binding = 1) uniform writeonly image2D other;\n'
                                       'void main() { imageStore(image, ivec2(0), vec4(result[0])); imageStore(other, ivec2(0), vec4(1)); }\n')
    (folder / 'texels.comp').write_text(HEAD + 'layout(set = 0, binding = 0) uniform samplerBuffer image;\n'
                                        'void main() { result[0] = texelFetch(image, 0).r; }\n')
    (folder / 'text.png').write_text('no image')
    one, out = f'{folder}/one.png', f'{folder}/out.png'
    cases = (
        ('missing image', 'float', [], 1, 'uses an image at 0:0, which no --image gives'),
        ('wrong place', 'float', ['--image', f'0:0={one}', '--image', f'0:3={one}'], 1, '--image 0:3: the shader has no image there'),
        ('wrong element', 'float', ['--image', f'0:0[1]={one}'], 1, 'no image there'),
        ('a buffer instead', 'float', ['--image', f'0:9={one}'], 1, 'no image there'),
        ('twice', 'float', ['--image', f'0:0={one}', '--image', f'0:0={one}'], 1, 'given twice'),
        ('no content', 'float', ['--image', '0:0='], 1, 'is no content'),
        ('no place', 'float', ['--image', one], 1, 'expected SET:BINDING=CONTENT'),
        ('no such format', 'float', ['--image', f'0:0:RGBA8={one}'], 1, 'no format has the name RGBA8'),
        ('no such option', 'float', ['--image', f'0:0={one},mips=3'], 1, "'mips=3' is no option"),
        ('range', 'float', ['--image', f'0:0={one},level=2-1'], 1, "'level=2-1' is no option"),
        ('size', 'float', ['--image', '0:0:R8_UNORM=zeros:0x4'], 1, 'is no content'),
        ('large', 'float', ['--image', '0:0:R32G32B32A32_SFLOAT=zeros:16384x16384'], 1, 'larger than 1 GiB'),
        ('levels', 'float', ['--image', '0:0:R8_UNORM=zeros:4x4,levels=4'], 1, '4 levels are more than the size allows, 3'),
        ('level', 'float', ['--image', '0:0:R8_UNORM=zeros:4x4,level=1'], 1, 'the image has no level 1'),
        ('layer', 'float', ['--image', '0:0:R8_UNORM=zeros:4x4,layer=1'], 1, 'at layer 1, the image has 1 layer'),
        ('dimensions', 'float', ['--image', '0:0:R8_UNORM=zeros:4'], 1, 'wants a 2D image, not an image of 1 dimension'),
        ('cube', 'cube', ['--image', f'0:0={one}'], 1, 'wants a cube at layer 0, the image has 1 layer'),
        ('numbers', 'uint', ['--image', f'0:0={one}'], 1, 'texels are unsigned integers, those of R8G8B8A8_UNORM are floats'),
        ('conversion', 'uint', ['--image', f'0:0:R8G8B8A8_SINT={one}'], 2, 'do not become R8G8B8A8_SINT'),
        ('two planes', 'float', ['--image', f'0:0:D24_UNORM_S8_UINT={one}'], 1, 'has two planes'),
        ('declared format', 'store', ['--image', '0:0:R8_UNORM=zeros:4x4', '--image', '0:1:R8_UNORM=zeros:4x4'], 1,
         'declares R8G8B8A8_UNORM, the image has R8_UNORM'),
        ('no declared format', 'store', ['--image', '0:0=zeros:4x4', '--image', '0:1=zeros:4x4'], 1, 'the shader declares no format here'),
        ('storage format', 'store', ['--image', '0:0=zeros:4x4', '--image', '0:1:R8G8B8A8_SRGB=zeros:4x4'], 3, 'no storage images of R8G8B8A8_SRGB'),
        ('missing file', 'float', ['--image', '0:0=none.png'], 2, 'none.png'),
        ('no image file', 'float', ['--image', f'0:0={folder}/text.png'], 2, 'text.png is neither KTX2 nor PNG'),
        ('view of nothing', 'float', ['--image', '0:0=view:0:5'], 1, 'is no image that another --image makes'),
        ('view of itself', 'float', ['--image', '0:0=view:0:0'], 1, 'is no image that another --image makes'),
        ('sampler place', 'store', ['--sampler', '0:0=linear'], 1, 'the shader has no sampler there'),
        ('sampler state', 'float', ['--sampler', '0:0=bilinear'], 1, "'bilinear' is no state of a sampler"),
        ('sampler number', 'float', ['--sampler', '0:0=anisotropy=much'], 1, 'is no state of a sampler'),
        ('texel format', 'texels', ['--buffer', '0:0=zeros:16'], 1, 'the shader declares no format here'),
        ('texel image', 'texels', ['--image', f'0:0={one}'], 1, 'no image there'),
        ('buffer format', 'float', ['--image', f'0:0={one}', '--buffer', '0:8:R8_UNORM=zeros:4'], 1, 'no texel buffer there'),
        ('print', 'float', ['--image', f'0:0={one}', '--print', '0:1:texels'], 1, 'names an image that --image does not give'),
        ('print null', 'float', ['--image', '0:0=null', '--print', '0:0:texels'], 1, 'names an image that --image does not give'),
        ('write', 'float', ['--image', f'0:0={one}', '--write', f'0:4={out}'], 1, 'gives 0:4'),
        ('write without name', 'float', ['--image', f'0:0={one}', '--write', '0:0='], 1, 'expected SET:BINDING=FILE'),
        ('write type', 'float', ['--image', f'0:0={one}', '--write', f'0:0={folder}/out.jpg'], 1, '.png or .ktx2'),
        ('write integers', 'uint', ['--image', '0:0:R8_UINT=zeros:4x4', '--write', f'0:0={out}'], 3, 'no colours of 8 bits'),
        ('write nowhere', 'float', ['--image', f'0:0={one}', '--write', f'0:0={folder}/none/out.png'], 2, 'cannot be written'),
    )
    for name, shader, arguments, code, text in cases:
        buffer = [] if '0:9' in ' '.join(arguments) else ['--buffer', '0:9=zeros:4']
        run = spalt(folder / (shader + '.comp'), *buffer, *arguments)
        lines = run.stderr.strip().splitlines()
        check(f'error: {name}', run.returncode == code and len(lines) == 1 and text in lines[0], f'{run.returncode}, {run.stderr!r}')


def check_damaged_files(folder):
    """An image or one sentence, whatever the bytes are."""
    shader = folder / 'float.comp'
    values = random.Random(3)
    for kind in ('one.png', 'bc1.ktx2', 'cube.ktx2'):
        good = (folder / kind).read_bytes()
        for turn in range(12):
            bytes_ = bytearray(good)
            for _ in range(1 + turn % 3):
                bytes_[values.randrange(min(len(bytes_), 140))] = values.randrange(256)
            if turn % 4 == 3:
                del bytes_[values.randrange(len(bytes_)):]
            damaged = folder / ('damaged.' + kind.rsplit('.', maxsplit=1)[1])
            damaged.write_bytes(bytes_)
            run = spalt(shader, '--buffer', '0:9=zeros:4', '--image', f'0:0={damaged}')
            fine = run.returncode == 0 or (run.returncode in (1, 2, 3) and run.stderr.startswith('spalt: '))
            check(f'damaged {kind} {turn}', fine, f'{run.returncode}, {run.stderr!r}')


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'one.png').write_bytes(png_bytes(1, 1, [255, 0, 0, 255]))
        check_blur(folder)
        check_formats_of_png(folder)
        check_block_compression(folder)
        check_cube_and_arrays(folder)
        check_samplers(folder)
        check_storage(folder)
        check_texel_buffers(folder)
        check_errors(folder)
        check_damaged_files(folder)
    print(f'{passed} passed, {failed} failed')
    return 0 if passed and not failed else 1


sys.exit(main())
