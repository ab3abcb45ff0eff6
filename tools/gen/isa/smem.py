# SPDX-License-Identifier: MIT
"""SMEM: scalar memory and cache control. Sources: data (stores and atomics), base, soffset (optional); the constant offset
is a modifier."""
from isa.table import op

SIZES = (('dword', 'b32'), ('dwordx2', 'b64'), ('dwordx3', 'b96'), ('dwordx4', 'b128'), ('dwordx8', 'b256'),
         ('dwordx16', 'b512'), ('i8', 'b8'), ('u8', 'b8'), ('i16', 'b16'), ('u16', 'b16'))
for size, type_ in SIZES:
    op(f's_load_{size}', type_, 'r:b64 s:b32', flags='may_load')
    op(f's_buffer_load_{size}', type_, 'r:b128 s:b32', flags='may_load')
for size, type_ in (('dword', 'b32'), ('dwordx2', 'b64'), ('dwordx4', 'b128')):
    op(f's_scratch_load_{size}', type_, 'r:b64 s:b32', flags='may_load')
    op(f's_store_{size}', '', f'r:{type_} r:b64 s:b32', flags='may_store')
    op(f's_scratch_store_{size}', '', f'r:{type_} r:b64 s:b32', flags='may_store')
    op(f's_buffer_store_{size}', '', f'r:{type_} r:b128 s:b32', flags='may_store')
for name, kind in (('swap', 'b'), ('cmpswap', 'b'), ('add', 'u'), ('sub', 'u'), ('smin', 'i'), ('umin', 'u'), ('smax', 'i'),
                   ('umax', 'u'), ('and', 'b'), ('or', 'b'), ('xor', 'b'), ('inc', 'u'), ('dec', 'u')):
    for bits, suffix in ((32, ''), (64, '_x2')):
        data = f'b{2 * bits}' if name == 'cmpswap' else f'{kind}{bits}'
        flags = 'may_load may_store atomic returns tied_data'
        op(f's_atomic_{name}{suffix}', f'{kind}{bits}', f'r:{data} r:b64 s:b32', flags=flags)
        op(f's_buffer_atomic_{name}{suffix}', f'{kind}{bits}', f'r:{data} r:b128 s:b32', flags=flags)
op('s_gl1_inv', '', '', flags='side_effects')
op('s_dcache_inv', '', '', flags='side_effects')
op('s_dcache_inv_vol', '', '', flags='side_effects')
op('s_dcache_wb', '', '', flags='side_effects')
op('s_dcache_wb_vol', '', '', flags='side_effects')
op('s_dcache_discard', '', 'r:b64 s:b32', flags='side_effects')
op('s_dcache_discard_x2', '', 'r:b64 s:b32', flags='side_effects')
op('s_memtime', 'u64', '', flags='side_effects')
op('s_memrealtime', 'u64', '', flags='side_effects')
op('s_get_waveid_in_workgroup', 'u32', '', flags='side_effects')
op('s_atc_probe', '', 'i:u32 r:b64 s:b32', flags='side_effects')
op('s_atc_probe_buffer', '', 'i:u32 r:b128 s:b32', flags='side_effects')
# Prefetch: the immediate is the number of cache lines minus one.
op('s_prefetch_inst', '', 'r:b64 s:b32 i:u32', flags='side_effects')
op('s_prefetch_inst_pc_rel', '', 's:b32 i:u32', flags='side_effects')
op('s_prefetch_data', '', 'r:b64 s:b32 i:u32', flags='side_effects')
op('s_prefetch_data_pc_rel', '', 's:b32 i:u32', flags='side_effects')
op('s_buffer_prefetch_data', '', 'r:b128 s:b32 i:u32', flags='side_effects')
