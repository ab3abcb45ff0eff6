# SPDX-License-Identifier: MIT
"""DS: LDS and GDS. Sources: address, data0, data1. 'two_offsets' rows have two 8-bit offsets instead of a 16-bit one."""
from isa.table import op

ATOMIC = 'may_load may_store atomic'
# name with a place for 'rtn', kind, number of data operands
ATOMICS = (('add_{}u', 'u', 1), ('sub_{}u', 'u', 1), ('rsub_{}u', 'u', 1), ('inc_{}u', 'u', 1), ('dec_{}u', 'u', 1),
           ('min_{}i', 'i', 1), ('max_{}i', 'i', 1), ('min_{}u', 'u', 1), ('max_{}u', 'u', 1), ('and_{}b', 'b', 1),
           ('or_{}b', 'b', 1), ('xor_{}b', 'b', 1), ('mskor_{}b', 'b', 2), ('cmpst_{}b', 'b', 2), ('cmpst_{}f', 'f', 2),
           # As cmpst with the two data operands exchanged: the new value comes first.
           ('cmpstore_{}b', 'b', 2), ('cmpstore_{}f', 'f', 2), ('min_{}f', 'f', 1), ('max_{}f', 'f', 1))
DOUBLE = {'b32': 'b64', 'b64': 'b128'}

for bits in (32, 64):
    for name, kind, count in ATOMICS:
        data = f' v:{kind}{bits}' * count
        op(f'ds_{name.format("")}{bits}', '', 'v:u32' + data, flags=ATOMIC)
        op(f'ds_{name.format("rtn_")}{bits}', f'{kind}{bits}', 'v:u32' + data, flags=ATOMIC)
    type_ = f'b{bits}'
    op(f'ds_write_{type_}', '', f'v:u32 v:{type_}', flags='may_store')
    op(f'ds_write2_{type_}', '', f'v:u32 v:{type_} v:{type_}', flags='may_store two_offsets')
    op(f'ds_write2st64_{type_}', '', f'v:u32 v:{type_} v:{type_}', flags='may_store two_offsets')
    op(f'ds_wrxchg_rtn_{type_}', type_, f'v:u32 v:{type_}', flags=ATOMIC)
    for name in ('wrxchg2', 'wrxchg2st64'):
        op(f'ds_{name}_rtn_{type_}', DOUBLE[type_], f'v:u32 v:{type_} v:{type_}', flags=ATOMIC + ' two_offsets')
    op(f'ds_read_{type_}', type_, 'v:u32', flags='may_load')
    op(f'ds_read2_{type_}', DOUBLE[type_], 'v:u32', flags='may_load two_offsets')
    op(f'ds_read2st64_{type_}', DOUBLE[type_], 'v:u32', flags='may_load two_offsets')
    # Memory to memory: the operand comes from a second address.
    for name in 'add_src2_u sub_src2_u rsub_src2_u inc_src2_u dec_src2_u min_src2_i max_src2_i min_src2_u max_src2_u'.split():
        op(f'ds_{name}{bits}', '', 'v:u32', flags=ATOMIC)
    for name in 'and_src2_b or_src2_b xor_src2_b write_src2_b min_src2_f max_src2_f'.split():
        op(f'ds_{name}{bits}', '', 'v:u32', flags=ATOMIC)
op('ds_add_src2_f32', '', 'v:u32', flags=ATOMIC)

op('ds_nop', '', '', flags='side_effects')
op('ds_add_f32', '', 'v:u32 v:f32', flags=ATOMIC)
op('ds_add_rtn_f32', 'f32', 'v:u32 v:f32', flags=ATOMIC)
for name, type_ in (('cond_sub_{}u32', 'u32'), ('sub_clamp_{}u32', 'u32'), ('pk_add_{}f16', 'f16x2'), ('pk_add_{}bf16', 'b32')):
    op(f'ds_{name.format("")}', '', f'v:u32 v:{type_}', flags=ATOMIC)
    op(f'ds_{name.format("rtn_")}', type_, f'v:u32 v:{type_}', flags=ATOMIC)
op('ds_wrap_rtn_b32', 'b32', 'v:u32 v:b32 v:b32', flags=ATOMIC)
op('ds_condxchg32_rtn_b64', 'b64', 'v:u32 v:b64', flags=ATOMIC)
op('ds_write_b8', '', 'v:u32 v:b8', flags='may_store')
op('ds_write_b16', '', 'v:u32 v:b16', flags='may_store')
op('ds_write_b8_d16_hi', '', 'v:u32 v:b8', flags='may_store')
op('ds_write_b16_d16_hi', '', 'v:u32 v:b16', flags='may_store')
op('ds_write_b96', '', 'v:u32 v:b96', flags='may_store')
op('ds_write_b128', '', 'v:u32 v:b128', flags='may_store')
op('ds_read_i8', 'b8', 'v:u32', flags='may_load')
op('ds_read_u8', 'b8', 'v:u32', flags='may_load')
op('ds_read_i16', 'b16', 'v:u32', flags='may_load')
op('ds_read_u16', 'b16', 'v:u32', flags='may_load')
op('ds_read_b96', 'b96', 'v:u32', flags='may_load')
op('ds_read_b128', 'b128', 'v:u32', flags='may_load')
# These write one half of the destination register and keep the other.
for name in ('u8_d16', 'u8_d16_hi', 'i8_d16', 'i8_d16_hi', 'u16_d16', 'u16_d16_hi'):
    op(f'ds_read_{name}', 'b16' if '16_' in name else 'b8', 'v:u32', flags='may_load dst_is_src')
op('ds_write_addtid_b32', '', 'v:b32', flags='may_store reads_m0 no_address')
op('ds_read_addtid_b32', 'b32', '', flags='may_load reads_m0')
op('ds_consume', 'u32', '', flags=ATOMIC + ' reads_m0')
op('ds_append', 'u32', '', flags=ATOMIC + ' reads_m0')
# Lane crossing: uses the LDS hardware, touches no memory.
op('ds_swizzle_b32', 'b32', 'v:b32')
op('ds_permute_b32', 'b32', 'v:u32 v:b32')
op('ds_bpermute_b32', 'b32', 'v:u32 v:b32')
# GDS only
op('ds_ordered_count', 'u32', 'v:u32', flags='side_effects reads_m0 gds_only')
op('ds_gws_sema_release_all', '', '', flags='side_effects reads_m0 gds_only')
op('ds_gws_init', '', 'v:u32', flags='side_effects reads_m0 gds_only')
op('ds_gws_sema_v', '', '', flags='side_effects reads_m0 gds_only')
op('ds_gws_sema_br', '', 'v:u32', flags='side_effects reads_m0 gds_only')
op('ds_gws_sema_p', '', '', flags='side_effects reads_m0 gds_only')
op('ds_gws_barrier', '', 'v:u32', flags='side_effects reads_m0 gds_only')
op('ds_add_gs_reg_rtn', 'b64', 'v:b32', flags='side_effects reads_m0 gds_only no_address')
op('ds_sub_gs_reg_rtn', 'b64', 'v:b32', flags='side_effects reads_m0 gds_only no_address')
# Ray tracing: traversal stack in LDS. The address register is read and written back.
op('ds_bvh_stack_rtn_b32', 'b32', 'v:b32 v:b32 v:b128', flags='may_load may_store swaps')
