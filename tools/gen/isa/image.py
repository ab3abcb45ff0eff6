# SPDX-License-Identifier: MIT
"""MIMG. Sources: [data], address, resource, [sampler].

`args` names the address components beyond the coordinates: offset, bias, compare, gradients (one per coordinate and
direction), half_gradients (two gradients in one dword), and lod for one more component (level of detail, clamp or mip).
Sizes in the slots are those of one component; dmask, d16, tfe and dim decide the real ones.
"""
from isa.table import op

RESOURCE, SAMPLER = ' r:b256', ' r:b128'
ATOMIC = 'may_load may_store atomic returns tied_data'


def load(name, number, args=''):
    op(f'image_{name}', 'b32', 'v:b32' + RESOURCE, mimg=number, args=args, flags='may_load')


def store(name, number, args=''):
    op(f'image_{name}', '', 'v:b32 v:b32' + RESOURCE, mimg=number, args=args, flags='may_store')


def sample(name, number, args='', flags='may_load'):
    op(f'image_{name}', 'b32', 'v:b32' + RESOURCE + SAMPLER, mimg=number, args=args, flags=flags)


load('load', 0)
load('load_mip', 1, 'lod')
load('load_pck', 2)
load('load_pck_sgn', 3)
load('load_mip_pck', 4, 'lod')
load('load_mip_pck_sgn', 5, 'lod')
store('store', 8)
store('store_mip', 9, 'lod')
store('store_pck', 10)
store('store_mip_pck', 11, 'lod')
load('get_resinfo', 14, 'only_lod')
load('msaa_load', 128)
for name, kind, number in (('swap', 'b', 15), ('cmpswap', 'b', 16), ('add', 'u', 17), ('sub', 'u', 18), ('smin', 'i', 20),
                           ('umin', 'u', 21), ('smax', 'i', 22), ('umax', 'u', 23), ('and', 'b', 24), ('or', 'b', 25),
                           ('xor', 'b', 26), ('inc', 'u', 27), ('dec', 'u', 28), ('fcmpswap', 'f', 29),
                           ('fmin', 'f', 30), ('fmax', 'f', 31)):
    data = 'b64' if name.endswith('cmpswap') else f'{kind}32'
    op(f'image_atomic_{name}', f'{kind}32', f'v:{data} v:b32' + RESOURCE, mimg=number, flags=ATOMIC)

# Variants of a sample: suffix, address components
VARIANTS = (('', ''), ('_cl', 'lod'), ('_d', 'gradients'), ('_d_cl', 'gradients lod'), ('_l', 'lod'), ('_b', 'bias'),
            ('_b_cl', 'bias lod'), ('_lz', ''))
for offset in (0, 1):
    for compare in (0, 1):
        extra = ' compare' * compare + ' offset' * offset
        for i, (suffix, args) in enumerate(VARIANTS):
            number = 32 + 16 * offset + 8 * compare + i
            name = '_c' * compare + suffix + '_o' * offset
            sample('sample' + name, number, args + extra)
            if 'gradients' in args:
                sample(f'sample{name}_g16', number + 128, args.replace('gradients', 'half_gradients') + extra)
            else:
                sample('gather4' + name, number + 32, args + extra + ' gather')
        for i, (suffix, args) in enumerate((('_cd', 'gradients'), ('_cd_cl', 'gradients lod'))):
            number = 104 + 4 * offset + 2 * compare + i
            name = 'sample' + '_c' * compare + suffix + '_o' * offset
            sample(name, number, args + extra)
            sample(name + '_g16', number + 128, args.replace('gradients', 'half_gradients') + extra)
sample('get_lod', 96, flags='')
sample('gather4h', 97, 'gather')

# Ray tracing: address is node, ray extent, origin, direction, inverse direction; no sampler, a 128-bit resource.
op('image_bvh_intersect_ray', 'b128', 'v:b32 r:b128', mimg=0xe6, args='ray', flags='may_load')
op('image_bvh64_intersect_ray', 'b128', 'v:b64 r:b128', mimg=0xe7, args='ray', flags='may_load')
