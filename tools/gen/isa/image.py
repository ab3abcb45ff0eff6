# SPDX-License-Identifier: MIT
"""MIMG. Sources: [data], address, resource, [sampler].

`args` names the address components beyond the coordinates: offset, bias, compare, gradients (one per coordinate and
direction), half_gradients (two gradients in one dword), and lod for one more component (level of detail, clamp or mip).
Sizes in the slots are those of one component; dmask, d16, tfe and dim decide the real ones.
"""
from isa.table import op

RESOURCE, SAMPLER = ' r:b256', ' r:b128'
ATOMIC = 'may_load may_store atomic returns tied_data'


def load(name, args=''):
    op(f'image_{name}', 'b32', 'v:b32' + RESOURCE, args=args, flags='may_load')


def store(name, args=''):
    op(f'image_{name}', '', 'v:b32 v:b32' + RESOURCE, args=args, flags='may_store')


def sample(name, args='', flags='may_load'):
    op(f'image_{name}', 'b32', 'v:b32' + RESOURCE + SAMPLER, args=args, flags=flags)


load('load')
load('load_mip', 'lod')
load('load_pck')
load('load_pck_sgn')
load('load_mip_pck', 'lod')
load('load_mip_pck_sgn', 'lod')
store('store')
store('store_mip', 'lod')
store('store_pck')
store('store_mip_pck', 'lod')
load('get_resinfo', 'only_lod')
# Since GFX11 it returns four samples, like a gather.
GATHER = {'args': 'gather'}
RAY = {'needs': 'ray'}
op('image_msaa_load', 'b32', 'v:b32' + RESOURCE, flags='may_load', gfx10_1=RAY, gfx11=GATHER,
   gfx11_5=GATHER, gfx12=GATHER)
for name, kind in (('swap', 'b32'), ('cmpswap', 'b32'), ('add', 'u32'), ('sub', 'u32'), ('smin', 'i32'), ('umin', 'u32'),
                   ('smax', 'i32'), ('umax', 'u32'), ('and', 'b32'), ('or', 'b32'), ('xor', 'b32'), ('inc', 'u32'),
                   ('dec', 'u32'), ('fcmpswap', 'f32'), ('fmin', 'f32'), ('fmax', 'f32'), ('add_flt', 'f32'),
                   ('pk_add_f16', 'f16x2'), ('pk_add_bf16', 'b32')):
    data = 'b64' if name.endswith('cmpswap') else kind
    op(f'image_atomic_{name}', kind, f'v:{data} v:b32' + RESOURCE, flags=ATOMIC)

# Variants of a sample: suffix, address components
VARIANTS = (('', ''), ('_cl', 'lod'), ('_d', 'gradients'), ('_d_cl', 'gradients lod'), ('_l', 'lod'), ('_b', 'bias'),
            ('_b_cl', 'bias lod'), ('_lz', ''))
for offset in (0, 1):
    for compare in (0, 1):
        extra = ' compare' * compare + ' offset' * offset
        for suffix, args in VARIANTS:
            name = '_c' * compare + suffix + '_o' * offset
            sample('sample' + name, args + extra)
            if 'gradients' in args:
                sample(f'sample{name}_g16', args.replace('gradients', 'half_gradients') + extra)
            else:
                sample('gather4' + name, args + extra + ' gather')
        for suffix, args in (('_cd', 'gradients'), ('_cd_cl', 'gradients lod')):
            name = 'sample' + '_c' * compare + suffix + '_o' * offset
            sample(name, args + extra)
            sample(name + '_g16', args.replace('gradients', 'half_gradients') + extra)
sample('get_lod', flags='')
sample('gather4h', 'gather')

# Ray tracing: address is node, ray extent, origin, direction, inverse direction; no sampler, a 128-bit resource.
op('image_bvh_intersect_ray', 'b128', 'v:b32 r:b128', args='ray', flags='may_load', gfx10_1=RAY)
op('image_bvh64_intersect_ray', 'b128', 'v:b64 r:b128', args='ray', flags='may_load', gfx10_1=RAY)
