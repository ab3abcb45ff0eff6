# SPDX-License-Identifier: MIT
"""Machine words for every opcode number of every format, per generation, in enough operand patterns that LLVM's disassembler
accepts one of them if it knows the number.

A pattern is (format, number, words). The number of a variant (SDWA, DPP) is (encoding it extends, number).
"""
GFX9, GFX10, GFX11, GFX12 = 'gfx9', 'gfx10', 'gfx11', 'gfx12'
FAMILY = dict(gfx9=GFX9, gfx10_1=GFX10, gfx10_3=GFX10, gfx11=GFX11, gfx11_5=GFX11, gfx12=GFX12)


def scalar(family):
    for op in range(96):
        for tail in ([], [0x1234567]):
            yield 'sop2', op, [0x80000000 | op << 23 | 8 << 16 | 16 << 8 | 24] + tail
    for op in range(256):
        yield 'sop1', op, [0xbe800000 | 8 << 16 | op << 8 | 24]
        yield 'sop1', op, [0xbe800000 | 8 << 16 | op << 8 | 193]
    for op in range(29):
        yield 'sopk', op, [0xb0000000 | op << 23 | 8 << 16 | 5]
        yield 'sopk', op, [0xb0000000 | op << 23 | 8 << 16 | 5, 0x1234567]
    for op in range(128):
        yield 'sopc', op, [0xbf000000 | op << 16 | 16 << 8 | 24]
        yield 'sopp', op, [0xbf800000 | op << 16 | 5]
        yield 'sopp', op, [0xbf800000 | op << 16]
    if family == GFX9:
        for op in range(256):
            yield 'smem', op, [0xc0000000 | op << 18 | 1 << 17 | 8 << 6 | 8, 16]
            yield 'smem', op, [0xc0000000 | op << 18, 0]
    elif family == GFX12:
        for op in range(64):
            yield 'smem', op, [0xf4000000 | op << 13 | 8 << 6 | 8, 124 << 25 | 16]
            yield 'smem', op, [0xf4000000 | op << 13 | 8 << 6, 124 << 25 | 16]
            yield 'smem', op, [0xf4000000 | op << 13 | 8, 124 << 25 | 16]
            yield 'smem', op, [0xf4000000 | op << 13, 124 << 25]
            yield 'smem', op, [0xf4000000 | op << 13, 0]
    else:
        null = 124 if family == GFX11 else 125
        for op in range(256):
            yield 'smem', op, [0xf4000000 | op << 18 | 8 << 6 | 8, null << 25 | 16]
            yield 'smem', op, [0xf4000000 | op << 18 | 8 << 6, 0]
            yield 'smem', op, [0xf4000000 | op << 18, 0]


def variants(base, op, word, sdwa):
    yield 'sdwa', (base, op), [word | 0xf9, sdwa]
    yield 'dpp16', (base, op), [word | 0xfa, 24 | 0xff << 24]
    yield 'dpp8', (base, op), [word | 0xe9, 24]


def short_vector(family):
    for op in range(62):
        word = op << 25 | 8 << 17 | 16 << 9
        for tail in ([], [0x1234567]):
            yield 'vop2', op, [word | 280] + tail
        yield from variants('vop2', op, word, 24 | 6 << 8 | 6 << 16 | 6 << 24)
    for op in range(256):
        word = 0x7e000000 | 8 << 17 | op << 9
        yield 'vop1', op, [word | 280]
        yield 'vop1', op, [0x7e000000 | op << 9]
        yield from variants('vop1', op, word, 24 | 6 << 8 | 6 << 16)
        word = 0x7c000000 | op << 17 | 16 << 9
        yield 'vopc', op, [word | 280]
        yield from variants('vopc', op, word, 24 | 6 << 16 | 6 << 24)


SOURCES = ((272, 280, 288), (272, 280, 0), (272, 0, 0), (0, 0, 0), (16, 24, 32), (272, 24, 32), (16, 280, 0), (0, 272, 0),
           (0, 272, 280), (272, 280, 4), (16, 0, 0), (16, 24, 0))


def long_vector(family):
    marker = 0xd0000000 if family == GFX9 else 0xd4000000
    packed = 0xd3800000 if family == GFX9 else 0xcc000000
    for op in range(1024):
        if family == GFX9 and 0x380 <= op < 0x400:
            continue  # VOP3P
        for a, b, c in SOURCES:
            word = marker | op << 16 | 8
            yield 'vop3', op, [word, a | b << 9 | c << 18]
            yield 'vop3', op, [word | 40 << 8, a | b << 9 | c << 18]
        yield 'vop3', op, [marker | op << 16, 0]
        yield 'vop3', op, [marker | op << 16 | 126, 272 | 280 << 9]
        if family in (GFX11, GFX12):
            yield from long_variants('vop3', op, marker | op << 16)
    for op in range(128):
        for a, b, c in (SOURCES[0], SOURCES[1], (272, 280, 320), (0, 0, 0)):
            for flags in (0x4000, 0):
                yield 'vop3p', op, [packed | flags | 8 | op << 16, a | b << 9 | c << 18 | 3 << 27]
        if family in (GFX11, GFX12):
            yield from long_variants('vop3p', op, packed | op << 16)


def long_variants(base, op, word):
    for dst, b, c in ((8, 280, 288), (8, 280, 0), (8, 0, 0), (8, 280, 4), (126, 280, 0), (40 << 8 | 8, 280, 0),
                      (40 << 8 | 8, 280, 4)):
        for high in (0, 3 << 27) if base == 'vop3p' else (0,):
            yield 'vop3_dpp16', (base, op), [word | dst, 0xfa | b << 9 | c << 18 | high, 24 | 0xff << 24]
            yield 'vop3_dpp8', (base, op), [word | dst, 0xe9 | b << 9 | c << 18 | high, 24]


def interpolation(family):
    if family in (GFX9, GFX10):
        marker = 0xd4000000 if family == GFX9 else 0xc8000000
        for op in range(4):
            yield 'vintrp', op, [marker | op << 16 | 8 << 18 | 16]
        return
    for op in range(32):
        yield 'vinterp', op, [0xcd000008 | op << 16, 272 | 280 << 9 | 288 << 18]
    for op in range(4):
        yield 'ldsdir', op, [0xce000008 | op << 20]
    for op in range(32):
        for tail in ([], [0x1234567]):
            for second in (16, 0):  # moves have no second source
                x, y = 273 | second << 9, 282 | (23 if second else 0) << 9 | 4 << 17 | 9 << 24
                if op < 16:
                    yield 'vopd', op, [0xc8000000 | op << 22 | 4 << 17 | x, 9 << 24 | 4 << 17 | 23 << 9 | 282] + tail
                yield 'vopd_y', op, [0xc8000000 | 4 << 22 | op << 17 | 16 << 9 | 273, y] + tail


def lds(family):
    shift, gds_bit = (17, 16) if family == GFX9 else (18, 17)
    for op in range(256):
        for gds in (0, 1) if family != GFX12 else (0,):
            for used in range(16):
                registers = (40 << 24) * (used & 1) | (32 << 16) * (used >> 1 & 1) | (24 << 8) * (used >> 2 & 1)
                yield 'ds', op, [0xd8000000 | op << shift | gds << gds_bit, registers | 16 * (used >> 3)]


SEGMENTS = ((0, 'flat'), (1, 'scratch'), (2, 'global'))


def flat(family):
    for op in range(128):
        for segment, name in SEGMENTS:
            for used in range(8):
                for saddr in ({GFX9: (127, 8)}.get(family, (125, 8) if family == GFX10 else (124, 8))):
                    for glc in (0, 1):
                        dst, data, address = 40 * (used & 1), 24 * (used >> 1 & 1), 16 * (used >> 2)
                        if family == GFX12:
                            yield name, op, [(0xec, 0xed, 0xee)[segment] << 24 | op << 14 | saddr,
                                             dst | glc << 20 | data << 23 | (segment == 1) << 17, address]
                            continue
                        shift, at = (16, 14) if family == GFX11 else (14, 16)
                        if family == GFX9 and name == 'flat':
                            saddr = 0
                        yield name, op, [0xdc000000 | op << 18 | segment << shift | glc << at,
                                         dst << 24 | saddr << 16 | data << 8 | address]


def buffers(family):
    registers = 128 << 24 | 2 << 16 | 24 << 8 | 16
    if family == GFX12:
        for op in range(256):
            name, number = ('mtbuf', op - 128) if 128 <= op < 144 else ('mubuf', op)
            yield name, number, [0xc4000000 | op << 14 | 124, 1 << 63 - 32 | 22 << 23 | 8 << 9 | 24, 16]
            yield name, number, [0xc4000000 | op << 14 | 124, 0, 0]
            yield name, number, [0xc4000000 | op << 14, 0, 0]
        return
    for op in range(256 if family != GFX9 else 128):
        yield 'mubuf', op, [0xe0000000 | op << 18 | (1 << 13 if family != GFX11 else 0),
                            registers | (1 << 23 if family == GFX11 else 0)]
        yield 'mubuf', op, [0xe0000000 | op << 18, 0]
    for op in range(16):
        if family == GFX10:
            yield 'mtbuf', op, [0xe8000000 | (op & 7) << 16 | 22 << 19 | 1 << 13, (op >> 3) << 21 | registers]
        elif family == GFX11:
            yield 'mtbuf', op, [0xe8000000 | op << 15 | 22 << 19, registers | 1 << 23]
        else:
            yield 'mtbuf', op, [0xe8000000 | op << 15 | 4 << 19 | 4 << 23 | 1 << 13, registers]


def images(family):
    for op in range(256):
        for dmask in (1, 3, 15):
            for sampler in (0, 4):
                for dim in range(8):
                    if family == GFX12:
                        yield 'vimage', op, [0xd0000000 | op << 14 | dmask << 22 | dim, 8 << 9 | 24, 0x13121110]
                        for address in (0x13121110, 0x10):
                            yield 'vsample', op, [0xe4000000 | op << 14 | dmask << 22 | dim,
                                                  sampler * 4 << 23 | 8 << 9 | 24, address]
                    elif family == GFX11:
                        yield 'mimg', op, [0xf0000000 | op << 18 | dim << 2 | dmask << 8, sampler << 26 | 2 << 16 | 24 << 8 | 16]
                    elif dim < 2 or family == GFX10:
                        word = 0xf0000000 | (op & 127) << 18 | op >> 7 | (dim << 3 if family == GFX10 else dim << 14)
                        yield 'mimg', op, [word | dmask << 8, sampler << 21 | 2 << 16 | 24 << 8 | 16]
        if family == GFX10:  # ray tracing
            yield 'mimg', op, [0xf0000000 | (op & 127) << 18 | op >> 7 | 15 << 8 | 1 << 12 | 1 << 15, 2 << 16 | 24 << 8 | 16]
        if family == GFX11:
            yield 'mimg', op, [0xf0000000 | op << 18 | 15 << 8 | 1 << 7 | 1 << 15, 2 << 16 | 24 << 8 | 16]
        if family == GFX12:
            yield 'vimage', op, [0xd0000000 | op << 14 | 15 << 22 | 1 << 4, 8 << 9 | 24, 0x40302010, 0x50]
            yield 'vimage', op, [0xd0000000 | op << 14 | 15 << 22 | 1 << 4, 8 << 9 | 24 | 0x50 << 24, 0x40302010]
    yield 'exp', 0, [0xc400000f if family == GFX9 else 0xf800000f, 0x04030201]


def patterns(generation):
    family = FAMILY[generation]
    for part in (scalar, short_vector, long_vector, interpolation, lds, flat, buffers, images):
        yield from part(family)
