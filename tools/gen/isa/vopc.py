# SPDX-License-Identifier: MIT
"""VOPC: comparisons. v_cmp writes a lane mask, v_cmpx (GFX10 and later) writes exec and nothing else."""
from isa.table import op

FLOAT_PREDICATES = 'f lt eq le gt lg ge o u nge nlg ngt nle neq nlt tru'.split()
INT_PREDICATES = 'f lt eq le gt ne ge t'.split()
SYMMETRIC = {'f', 'eq', 'lg', 'o', 'u', 'nlg', 'neq', 'tru', 'ne', 't'}


def compare(predicate, type_, number, second=None):
    """The v_cmp and v_cmpx rows of one predicate; v_cmpx sits 16 above v_cmp."""
    ext = 'none' if type_.endswith('64') else 'sdwa'
    flags = 'commutative' if predicate in SYMMETRIC else ''
    sources = f'{type_} {second or type_}'
    op(f'v_cmp_{predicate}_{type_}', 'm', sources, vopc=number, vop3=number, ext=ext, flags=flags)
    op(f'v_cmpx_{predicate}_{type_}', '', sources, vopc=number + 16, vop3=number + 16, ext=ext,
       flags=flags + ' writes_exec')


for type_, base in (('f32', 0x00), ('f64', 0x20)):
    for i, predicate in enumerate(FLOAT_PREDICATES):
        compare(predicate, type_, base + i)
for i, predicate in enumerate(FLOAT_PREDICATES):
    compare(predicate, 'f16', (0xc8 if i < 8 else 0xe0) + i)
for type_, base in (('i32', 0x80), ('i64', 0xa0), ('u32', 0xc0), ('u64', 0xe0)):
    for i, predicate in enumerate(INT_PREDICATES):
        compare(predicate, type_, base + i)
for type_, base in (('i16', 0x88), ('u16', 0xa8)):
    for i, predicate in enumerate(INT_PREDICATES):
        if predicate not in ('f', 't'):
            compare(predicate, type_, base + i)

# Source 1 of a class test is the mask of classes.
compare('class', 'f32', 0x88, 'u32')
compare('class', 'f16', 0x8f, 'u32')
compare('class', 'f64', 0xa8, 'u32')
