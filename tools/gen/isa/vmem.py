# SPDX-License-Identifier: MIT
"""MUBUF, MTBUF, FLAT, GLOBAL and SCRATCH.

Source order is that of the assembler text. Optional sources (vaddr or saddr 'off') stay OperandKind::none.
  buffer load:   dst, vaddr, resource, soffset       buffer store:  vdata, vaddr, resource, soffset
  flat load:     dst, vaddr, saddr                   flat store:    vaddr, vdata, saddr
An atomic returns the old value when glc is set and has a destination only then. In MUBUF that destination is the
register of its data source (flag tied_data).
"""
from isa.table import op

LOADS = (('ubyte', 'b8'), ('sbyte', 'b8'), ('ushort', 'b16'), ('sshort', 'b16'), ('dword', 'b32'), ('dwordx2', 'b64'),
         ('dwordx3', 'b96'), ('dwordx4', 'b128'))
STORES = (('byte', 'b8'), ('byte_d16_hi', 'b8'), ('short', 'b16'), ('short_d16_hi', 'b16'), ('dword', 'b32'),
          ('dwordx2', 'b64'), ('dwordx3', 'b96'), ('dwordx4', 'b128'))
# Loads that can put their data into LDS instead of a register.
TO_LDS = ('ubyte', 'sbyte', 'ushort', 'sshort', 'dword')
# These write one half of the destination register and keep the other.
D16_LOADS = (('ubyte_d16', 'b8'), ('ubyte_d16_hi', 'b8'), ('sbyte_d16', 'b8'), ('sbyte_d16_hi', 'b8'), ('short_d16', 'b16'),
             ('short_d16_hi', 'b16'))
# With 32-bit and 64-bit forms.
ATOMICS = (('swap', 'b'), ('cmpswap', 'b'), ('add', 'u'), ('sub', 'u'), ('smin', 'i'), ('umin', 'u'), ('smax', 'i'),
           ('umax', 'u'), ('and', 'b'), ('or', 'b'), ('xor', 'b'), ('inc', 'u'), ('dec', 'u'), ('fcmpswap', 'f'),
           ('fmin', 'f'), ('fmax', 'f'))
SINGLE_ATOMICS = (('csub', 'u32'), ('cond_sub_u32', 'u32'), ('add_f32', 'f32'), ('pk_add_f16', 'f16x2'), ('pk_add_bf16', 'b32'))
COMPONENTS = ('x', 'xy', 'xyz', 'xyzw')
FORMAT_TYPES = ('b32', 'b64', 'b96', 'b128')
FORMAT_D16_TYPES = ('b32', 'b32', 'b64', 'b64')

BUFFER = 'v:b64 r:b128 s:b32'  # vaddr is two registers with idxen and offen, one with either, none with neither


def buffer_load(name, type_, flags=''):
    op(name, type_, BUFFER, flags='may_load ' + flags)


def buffer_store(name, type_):
    op(name, '', f'v:{type_} {BUFFER}', flags='may_store')


def atomic_rows():
    """Yields name, result type and data type."""
    for name, kind in ATOMICS:
        compare = name.endswith('cmpswap')
        yield name, f'{kind}32', 'b64' if compare else f'{kind}32'
        yield f'{name}_x2', f'{kind}64', 'b128' if compare else f'{kind}64'
    for name, type_ in SINGLE_ATOMICS:
        yield name, type_, type_


ATOMIC = 'may_load may_store atomic returns'

# MUBUF
for name, type_ in LOADS:
    buffer_load(f'buffer_load_{name}', type_, flags='to_lds' if name in TO_LDS and name != 'sbyte' else '')
for name, type_ in D16_LOADS:
    buffer_load(f'buffer_load_{name}', type_, flags='dst_is_src')
for name, type_ in STORES:
    buffer_store(f'buffer_store_{name}', type_)
for i, components in enumerate(COMPONENTS):
    buffer_load(f'buffer_load_format_{components}', FORMAT_TYPES[i], flags='to_lds' if i == 0 else '')
    buffer_store(f'buffer_store_format_{components}', FORMAT_TYPES[i])
    buffer_load(f'buffer_load_format_d16_{components}', FORMAT_D16_TYPES[i])
    buffer_store(f'buffer_store_format_d16_{components}', FORMAT_D16_TYPES[i])
buffer_load('buffer_load_format_d16_hi_x', 'b32', flags='dst_is_src')
buffer_store('buffer_store_format_d16_hi_x', 'b32')
# GFX11 has opcodes of their own for what the lds bit said before.
for name in ('u8', 'i8', 'u16', 'i16', 'b32', 'format_x'):
    op(f'buffer_load_lds_{name}', '', BUFFER, flags='may_load side_effects reads_m0')
for name, result, data in atomic_rows():
    op(f'buffer_atomic_{name}', result, f'v:{data} {BUFFER}', flags=ATOMIC + ' tied_data')
op('buffer_gl0_inv', '', '', flags='side_effects')
op('buffer_gl1_inv', '', '', flags='side_effects')
op('buffer_wbinvl1', '', '', flags='side_effects')
op('buffer_wbinvl1_vol', '', '', flags='side_effects')

# MTBUF: as MUBUF with a data format in the instruction
for i, components in enumerate(COMPONENTS):
    buffer_load(f'tbuffer_load_format_{components}', FORMAT_TYPES[i])
    buffer_store(f'tbuffer_store_format_{components}', FORMAT_TYPES[i])
    buffer_load(f'tbuffer_load_format_d16_{components}', FORMAT_D16_TYPES[i])
    buffer_store(f'tbuffer_store_format_d16_{components}', FORMAT_D16_TYPES[i])

# FLAT has no saddr. GLOBAL takes a 64-bit vaddr, or a 32-bit vaddr and a 64-bit saddr. SCRATCH takes a 32-bit vaddr or
# a 32-bit saddr, from GFX11 on both.
for segment, saddr in (('flat', ''), ('global', ' r:b64'), ('scratch', ' r:b32')):
    vaddr = 'v:b32' if segment == 'scratch' else 'v:b64'
    for name, type_ in LOADS:
        to_lds = ' to_lds' if name in TO_LDS and segment != 'flat' else ''
        op(f'{segment}_load_{name}', type_, vaddr + saddr, flags='may_load' + to_lds)
    for name, type_ in D16_LOADS:
        op(f'{segment}_load_{name}', type_, vaddr + saddr, flags='may_load dst_is_src')
    for name, type_ in STORES:
        op(f'{segment}_store_{name}', '', f'{vaddr} v:{type_}{saddr}', flags='may_store')
    for name, result, data in atomic_rows() if segment != 'scratch' else ():
        op(f'{segment}_atomic_{name}', result, f'{vaddr} v:{data}{saddr}', flags=ATOMIC)
    if segment != 'flat':
        op(f'{segment}_load_block', 'b1024', vaddr + saddr, flags='may_load reads_m0')
        op(f'{segment}_store_block', '', f'{vaddr} v:b1024{saddr}', flags='may_store reads_m0')
op('global_atomic_ordered_add_b64', 'u64', 'v:b64 v:u64 r:b64', flags=ATOMIC)
op('global_load_dword_addtid', 'b32', 'r:b64', flags='may_load')
op('global_store_dword_addtid', '', 'v:b32 r:b64', flags='may_store')
# A matrix tile, transposed on the way.
op('global_load_tr_b128', 'w128', 'v:b64 r:b64', flags='may_load')
op('global_load_tr_b64', 'w64', 'v:b64 r:b64', flags='may_load')
for name in ('inv', 'wb', 'wbinv'):
    op(f'global_{name}', '', '', flags='side_effects')
