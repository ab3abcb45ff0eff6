# SPDX-License-Identifier: MIT
"""DS: LDS and GDS. Sources: address, data0, data1. 'two_offsets' rows have two 8-bit offsets instead of a 16-bit one."""
from isa.table import op

ATOMIC = 'may_load may_store atomic'
# name with a place for 'rtn', kind, number without return, number of data operands
ATOMICS = (('add_{}u', 'u', 0, 1), ('sub_{}u', 'u', 1, 1), ('rsub_{}u', 'u', 2, 1), ('inc_{}u', 'u', 3, 1),
           ('dec_{}u', 'u', 4, 1), ('min_{}i', 'i', 5, 1), ('max_{}i', 'i', 6, 1), ('min_{}u', 'u', 7, 1),
           ('max_{}u', 'u', 8, 1), ('and_{}b', 'b', 9, 1), ('or_{}b', 'b', 10, 1), ('xor_{}b', 'b', 11, 1),
           ('mskor_{}b', 'b', 12, 2), ('cmpst_{}b', 'b', 16, 2), ('cmpst_{}f', 'f', 17, 2), ('min_{}f', 'f', 18, 1),
           ('max_{}f', 'f', 19, 1))
DOUBLE = {'b32': 'b64', 'b64': 'b128'}

for bits, base in ((32, 0), (64, 64)):
    for name, kind, number, count in ATOMICS:
        data = f' v:{kind}{bits}' * count
        op(f'ds_{name.format("")}{bits}', '', 'v:u32' + data, ds=base + number, flags=ATOMIC)
        op(f'ds_{name.format("rtn_")}{bits}', f'{kind}{bits}', 'v:u32' + data, ds=base + number + 32, flags=ATOMIC)
    type_ = f'b{bits}'
    op(f'ds_write_{type_}', '', f'v:u32 v:{type_}', ds=base + 13, flags='may_store')
    op(f'ds_write2_{type_}', '', f'v:u32 v:{type_} v:{type_}', ds=base + 14, flags='may_store two_offsets')
    op(f'ds_write2st64_{type_}', '', f'v:u32 v:{type_} v:{type_}', ds=base + 15, flags='may_store two_offsets')
    op(f'ds_wrxchg_rtn_{type_}', type_, f'v:u32 v:{type_}', ds=base + 45, flags=ATOMIC)
    for i, name in enumerate(('wrxchg2', 'wrxchg2st64')):
        op(f'ds_{name}_rtn_{type_}', DOUBLE[type_], f'v:u32 v:{type_} v:{type_}', ds=base + 46 + i,
           flags=ATOMIC + ' two_offsets')
    op(f'ds_read_{type_}', type_, 'v:u32', ds=base + 54, flags='may_load')
    op(f'ds_read2_{type_}', DOUBLE[type_], 'v:u32', ds=base + 55, flags='may_load two_offsets')
    op(f'ds_read2st64_{type_}', DOUBLE[type_], 'v:u32', ds=base + 56, flags='may_load two_offsets')

op('ds_nop', '', '', ds=20, flags='side_effects')
op('ds_add_f32', '', 'v:u32 v:f32', ds=21, flags=ATOMIC)
op('ds_add_rtn_f32', 'f32', 'v:u32 v:f32', ds=85, flags=ATOMIC)
op('ds_wrap_rtn_b32', 'b32', 'v:u32 v:b32 v:b32', ds=52, flags=ATOMIC)
op('ds_condxchg32_rtn_b64', 'b64', 'v:u32 v:b64', ds=126, flags=ATOMIC)
op('ds_write_b8', '', 'v:u32 v:b8', ds=30, flags='may_store')
op('ds_write_b16', '', 'v:u32 v:b16', ds=31, flags='may_store')
op('ds_write_b8_d16_hi', '', 'v:u32 v:b8', ds=160, flags='may_store')
op('ds_write_b16_d16_hi', '', 'v:u32 v:b16', ds=161, flags='may_store')
op('ds_write_b96', '', 'v:u32 v:b96', ds=222, flags='may_store')
op('ds_write_b128', '', 'v:u32 v:b128', ds=223, flags='may_store')
op('ds_read_i8', 'b8', 'v:u32', ds=57, flags='may_load')
op('ds_read_u8', 'b8', 'v:u32', ds=58, flags='may_load')
op('ds_read_i16', 'b16', 'v:u32', ds=59, flags='may_load')
op('ds_read_u16', 'b16', 'v:u32', ds=60, flags='may_load')
op('ds_read_b96', 'b96', 'v:u32', ds=254, flags='may_load')
op('ds_read_b128', 'b128', 'v:u32', ds=255, flags='may_load')
# These write one half of the destination register and keep the other.
for i, name in enumerate(('u8_d16', 'u8_d16_hi', 'i8_d16', 'i8_d16_hi', 'u16_d16', 'u16_d16_hi')):
    op(f'ds_read_{name}', 'b16' if '16_' in name else 'b8', 'v:u32', ds=162 + i, flags='may_load dst_is_src')
op('ds_write_addtid_b32', '', 'v:b32', ds=176, flags='may_store reads_m0')
op('ds_read_addtid_b32', 'b32', '', ds=177, flags='may_load reads_m0')
op('ds_consume', 'u32', '', ds=61, flags=ATOMIC + ' reads_m0')
op('ds_append', 'u32', '', ds=62, flags=ATOMIC + ' reads_m0')
# Lane crossing: uses the LDS hardware, touches no memory.
op('ds_swizzle_b32', 'b32', 'v:b32', ds=53)
op('ds_permute_b32', 'b32', 'v:u32 v:b32', ds=178)
op('ds_bpermute_b32', 'b32', 'v:u32 v:b32', ds=179)
# GDS only
op('ds_ordered_count', 'u32', 'v:u32', ds=63, flags='side_effects reads_m0 gds_only')
op('ds_gws_sema_release_all', '', '', ds=24, flags='side_effects reads_m0 gds_only')
op('ds_gws_init', '', 'v:u32', ds=25, flags='side_effects reads_m0 gds_only')
op('ds_gws_sema_v', '', '', ds=26, flags='side_effects reads_m0 gds_only')
op('ds_gws_sema_br', '', 'v:u32', ds=27, flags='side_effects reads_m0 gds_only')
op('ds_gws_sema_p', '', '', ds=28, flags='side_effects reads_m0 gds_only')
op('ds_gws_barrier', '', 'v:u32', ds=29, flags='side_effects reads_m0 gds_only')
