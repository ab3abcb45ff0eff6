# SPDX-License-Identifier: MIT
"""SMEM: scalar loads and cache control. Sources: base, soffset (optional); the constant offset is a modifier."""
from isa.table import op

SIZES = (('dword', 'b32'), ('dwordx2', 'b64'), ('dwordx4', 'b128'), ('dwordx8', 'b256'), ('dwordx16', 'b512'))
for i, (size, type_) in enumerate(SIZES):
    op(f's_load_{size}', type_, 'r:b64 s:b32', smem=i, flags='may_load')
    op(f's_buffer_load_{size}', type_, 'r:b128 s:b32', smem=8 + i, flags='may_load')
op('s_gl1_inv', '', '', smem=0x1f, flags='side_effects')
op('s_dcache_inv', '', '', smem=0x20, flags='side_effects')
op('s_memtime', 'u64', '', smem=0x24, flags='side_effects')
op('s_memrealtime', 'u64', '', smem=0x25, flags='side_effects')
op('s_atc_probe', '', 'i:u32 r:b64 s:b32', smem=0x26, flags='side_effects')
op('s_atc_probe_buffer', '', 'i:u32 r:b128 s:b32', smem=0x27, flags='side_effects')
