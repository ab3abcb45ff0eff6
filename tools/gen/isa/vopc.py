# SPDX-License-Identifier: MIT
"""VOPC: comparisons. v_cmp writes a lane mask. v_cmpx writes exec and nothing else; on GFX9 it writes a lane mask as well."""
from isa.table import op

FLOAT_PREDICATES = 'f lt eq le gt lg ge o u nge nlg ngt nle neq nlt tru'.split()
INT_PREDICATES = 'f lt eq le gt ne ge t'.split()
SYMMETRIC = {'f', 'eq', 'lg', 'o', 'u', 'nlg', 'neq', 'tru', 'ne', 't'}


def compare(predicate, type_, second=None, **differences):
    """The v_cmp and v_cmpx rows of one predicate."""
    flags = 'commutative' if predicate in SYMMETRIC else ''
    sources = f'{type_} {second or type_}'
    op(f'v_cmp_{predicate}_{type_}', 'm', sources, flags=flags, **differences)
    op(f'v_cmpx_{predicate}_{type_}', '', sources, flags=flags + ' writes_exec', **differences, gfx9={'dst': 'm'})


for type_ in ('f32', 'f64', 'f16'):
    for predicate in FLOAT_PREDICATES:
        compare(predicate, type_)
for type_ in ('i32', 'i64', 'u32', 'u64', 'i16', 'u16'):
    for predicate in INT_PREDICATES:
        compare(predicate, type_)

# Source 1 of a class test is the mask of classes.
compare('class', 'f32', 'u32')
HALF_MASK = {'src': 'f16 u16'}
compare('class', 'f16', 'u32', gfx11=HALF_MASK, gfx11_5=HALF_MASK, gfx12=HALF_MASK)
compare('class', 'f64', 'u32')
