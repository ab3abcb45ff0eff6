# SPDX-License-Identifier: MIT
"""MUBUF, MTBUF, FLAT, GLOBAL and SCRATCH.

Source order is that of the assembler text. Optional sources (vaddr or saddr 'off') stay OperandKind::none.
  buffer load:   dst, vaddr, resource, soffset       buffer store:  vdata, vaddr, resource, soffset
  flat load:     dst, vaddr, saddr                   flat store:    vaddr, vdata, saddr
An atomic returns the old value when glc is set and has a destination only then. In MUBUF that destination is the
register of its data source (flag tied_data).
"""
from isa.table import op

LOADS = (('ubyte', 'b8', 8), ('sbyte', 'b8', 9), ('ushort', 'b16', 10), ('sshort', 'b16', 11), ('dword', 'b32', 12),
         ('dwordx2', 'b64', 13), ('dwordx4', 'b128', 14), ('dwordx3', 'b96', 15))
STORES = (('byte', 'b8', 24), ('byte_d16_hi', 'b8', 25), ('short', 'b16', 26), ('short_d16_hi', 'b16', 27),
          ('dword', 'b32', 28), ('dwordx2', 'b64', 29), ('dwordx4', 'b128', 30), ('dwordx3', 'b96', 31))
# Loads that can put their data into LDS instead of a register.
TO_LDS = ('ubyte', 'sbyte', 'ushort', 'sshort', 'dword')
# These write one half of the destination register and keep the other.
D16_LOADS = (('ubyte_d16', 'b8', 32), ('ubyte_d16_hi', 'b8', 33), ('sbyte_d16', 'b8', 34), ('sbyte_d16_hi', 'b8', 35),
             ('short_d16', 'b16', 36), ('short_d16_hi', 'b16', 37))
ATOMICS = (('swap', 'b', 48), ('cmpswap', 'b', 49), ('add', 'u', 50), ('sub', 'u', 51), ('csub', 'u', 52),
           ('smin', 'i', 53), ('umin', 'u', 54), ('smax', 'i', 55), ('umax', 'u', 56), ('and', 'b', 57),
           ('or', 'b', 58), ('xor', 'b', 59), ('inc', 'u', 60), ('dec', 'u', 61), ('fcmpswap', 'f', 62),
           ('fmin', 'f', 63), ('fmax', 'f', 64))
COMPONENTS = ('x', 'xy', 'xyz', 'xyzw')
FORMAT_TYPES = ('b32', 'b64', 'b96', 'b128')
FORMAT_D16_TYPES = ('b32', 'b32', 'b64', 'b64')

BUFFER = 'v:b64 r:b128 s:b32'  # vaddr is two registers with idxen and offen, one with either, none with neither


def buffer_load(name, type_, flags='', **numbers):
    op(f'{name}', type_, BUFFER, flags='may_load ' + flags, **numbers)


def buffer_store(name, type_, **numbers):
    op(f'{name}', '', f'v:{type_} {BUFFER}', flags='may_store', **numbers)


def atomic_rows():
    """Yields name, result type, data type and number: 32-bit forms, then the 64-bit forms 32 above."""
    for name, kind, number in ATOMICS:
        compare = name.endswith('cmpswap')
        yield name, f'{kind}32', 'b64' if compare else f'{kind}32', number
        if name != 'csub':
            yield f'{name}_x2', f'{kind}64', 'b128' if compare else f'{kind}64', number + 32


ATOMIC = 'may_load may_store atomic returns'

# MUBUF
for name, type_, number in LOADS:
    buffer_load(f'buffer_load_{name}', type_, flags='to_lds' if name in TO_LDS and name != 'sbyte' else '', mubuf=number)
for name, type_, number in D16_LOADS:
    buffer_load(f'buffer_load_{name}', type_, flags='dst_is_src', mubuf=number)
for name, type_, number in STORES:
    buffer_store(f'buffer_store_{name}', type_, mubuf=number)
for i, components in enumerate(COMPONENTS):
    buffer_load(f'buffer_load_format_{components}', FORMAT_TYPES[i], flags='to_lds' if i == 0 else '', mubuf=i)
    buffer_store(f'buffer_store_format_{components}', FORMAT_TYPES[i], mubuf=4 + i)
    buffer_load(f'buffer_load_format_d16_{components}', FORMAT_D16_TYPES[i], mubuf=128 + i)
    buffer_store(f'buffer_store_format_d16_{components}', FORMAT_D16_TYPES[i], mubuf=132 + i)
buffer_load('buffer_load_format_d16_hi_x', 'b32', flags='dst_is_src', mubuf=38)
buffer_store('buffer_store_format_d16_hi_x', 'b32', mubuf=39)
for name, result, data, number in atomic_rows():
    op(f'buffer_atomic_{name}', result, f'v:{data} {BUFFER}', mubuf=number, flags=ATOMIC + ' tied_data')
op('buffer_gl0_inv', '', '', mubuf=113, flags='side_effects')
op('buffer_gl1_inv', '', '', mubuf=114, flags='side_effects')

# MTBUF: as MUBUF with a data format in the instruction
for i, components in enumerate(COMPONENTS):
    buffer_load(f'tbuffer_load_format_{components}', FORMAT_TYPES[i], mtbuf=i)
    buffer_store(f'tbuffer_store_format_{components}', FORMAT_TYPES[i], mtbuf=4 + i)
    buffer_load(f'tbuffer_load_format_d16_{components}', FORMAT_D16_TYPES[i], mtbuf=8 + i)
    buffer_store(f'tbuffer_store_format_d16_{components}', FORMAT_D16_TYPES[i], mtbuf=12 + i)

# FLAT has no saddr. GLOBAL takes a 64-bit vaddr, or a 32-bit vaddr and a 64-bit saddr. SCRATCH takes a 32-bit vaddr or
# a 32-bit saddr.
for segment, saddr in (('flat', ''), ('global', ' r:b64'), ('scratch', ' r:b32')):
    vaddr = 'v:b32' if segment == 'scratch' else 'v:b64'
    for name, type_, number in LOADS:
        to_lds = ' to_lds' if name in TO_LDS and segment != 'flat' else ''
        op(f'{segment}_load_{name}', type_, vaddr + saddr, flags='may_load' + to_lds, **{segment: number})
    for name, type_, number in D16_LOADS:
        op(f'{segment}_load_{name}', type_, vaddr + saddr, flags='may_load dst_is_src', **{segment: number})
    for name, type_, number in STORES:
        op(f'{segment}_store_{name}', '', f'{vaddr} v:{type_}{saddr}', flags='may_store', **{segment: number})
    for name, result, data, number in atomic_rows():
        if segment == 'scratch' or (segment == 'flat' and name == 'csub'):
            continue
        op(f'{segment}_atomic_{name}', result, f'{vaddr} v:{data}{saddr}', flags=ATOMIC, **{segment: number})
op('global_load_dword_addtid', 'b32', 'r:b64', flags='may_load', **{'global': 22})
op('global_store_dword_addtid', '', 'v:b32 r:b64', flags='may_store', **{'global': 23})
