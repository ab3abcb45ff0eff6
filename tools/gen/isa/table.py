# SPDX-License-Identifier: MIT
"""The row type of the opcode tables.

    op('v_add_f32', 'f32', 'f32 f32', vop2=3, vop3=0x103, flags='commutative')

mnemonic, destinations, sources, then one opcode number per encoding format.

A slot is `[role:]type`. Roles: v VGPR only, s scalar source or constant, r SGPR tuple only, sd SGPR destination,
i small immediate, k 32-bit constant stored in the instruction. `m` is a lane mask, `simm16` and `label` stand for
Inst::simm16. Without a role, a slot is what the family usually takes: VGPR destination and any source for vector
instructions, SGPR destination and scalar source for scalar ones.

A number may be an int, which holds for DEFAULT_GENERATIONS, or a dict from generation to int.
`ext` says which two-dword variants VOP1, VOP2 and VOPC rows have: 'all' (SDWA, DPP16, DPP8), 'sdwa', 'dpp' or 'none'.
"""
import re

GENERATIONS = ('gfx9', 'gfx10_1', 'gfx10_3', 'gfx11', 'gfx11_5', 'gfx12')
DEFAULT_GENERATIONS = ('gfx10_3',)
FORMATS = ('invalid sop1 sop2 sopk sopc sopp smem vop1 vop2 vopc vop3 vop3p vopd sdwa dpp16 dpp8 vintrp ds flat global '
           'scratch mubuf mtbuf mimg exp').split()
# Numbers in the opcode field of each format.
FORMAT_SIZE = dict(sop1=256, sop2=128, sopk=32, sopc=128, sopp=128, smem=256, vop1=256, vop2=64, vopc=256, vop3=1024,
                   vop3p=128, vopd=64, vintrp=4, ds=256, flat=128, scratch=128, mubuf=256, mtbuf=16, mimg=256, exp=1,
                   **{'global': 128})
TYPES = ('none b1 b8 b16 b32 b64 b96 b128 b256 b512 i16 i32 i64 u16 u32 u64 f16 f32 f64 f16x2 i16x2 '
         'lane_mask').split()
FLAGS = dict(reads_scc='kReadsScc', writes_scc='kWritesScc', reads_vcc='kReadsVcc', writes_vcc='kWritesVcc',
             reads_exec='kReadsExec', writes_exec='kWritesExec', reads_m0='kReadsM0', writes_m0='kWritesM0',
             may_load='kMayLoad', may_store='kMayStore', atomic='kAtomic', returns='kReturns', branch='kBranch',
             terminator='kTerminator', side_effects='kSideEffects', commutative='kCommutative',
             dst_is_src='kDstIsSrc', transcendental='kTranscendental', ignores_exec='kIgnoresExec',
             tied_data='kTiedData', swaps='kSwapsOperands', interp='kInterp', two_offsets='kTwoOffsets',
             gds_only='kGdsOnly', one_scalar='kOneScalarSource',
             to_lds='kLoadsToLds')
IMAGE_ARGS = dict(offset='kImageOffset', bias='kImageBias', compare='kImageCompare', gradients='kImageGradients',
                  half_gradients='kImageHalfGradients', lod='kImageLod', gather='kImageGather',
                  only_lod='kImageOnlyLod', ray='kImageRay')

FLOATS = ('f16', 'f32', 'f64', 'f16x2')
# Integer instructions whose VOP3 form saturates on clamp, and conversions to integers that take an output modifier
# although it means nothing: LLVM 19 assembles both.
INT_CLAMP = re.compile(r'v_(mul_[iu]32_[iu]24|mad_[iu]32_[iu](24|16)|mad_[iu](16|64_[iu]32)|(add|sub|subrev)_(nc|co|co_ci)_.*'
                       r'|sad_.*|msad_u8|m?qsad_.*|(min|max|med)3_[iu]16)$')
INT_OMOD = re.compile(r'v_(cvt_[iu](16|32)_f(16|32|64)|cvt_norm_[iu]16_f16|frexp_exp_i(32_f64|16_f16))$')
OP_SEL_TYPES = ('f16', 'i16', 'u16')
NO_OP_SEL = re.compile(r'v_(mul_lo_u16|(min|max)_[iu]16|(lshl|lshr|ashr)rev_[bi]16|interp_.*)$')

SCALAR = ('sop1', 'sop2', 'sopk', 'sopc', 'sopp')
VECTOR = ('vop1', 'vop2', 'vopc', 'vop3', 'vop3p', 'vopd', 'vintrp')
VMEM = ('flat', 'global', 'scratch', 'mubuf', 'mtbuf', 'mimg')
ROLES = {'v': 'vgpr', 's': 'ssrc', 'r': 'sreg', 'sd': 'sdst', 'i': 'imm', 'k': 'constant'}


class Row:
    """One opcode: name, slots as (role, type) pairs, numbers[generation][format], flag names."""

    def __init__(self, name, dst, src, numbers, flags, args, ext):
        self.name = name
        vector = any(f in VECTOR for f in numbers)
        scalar_dst = any(f in SCALAR or f == 'smem' for f in numbers)
        self.dst = [slot(t, 'sdst' if scalar_dst else 'vdst') for t in dst.split()]
        self.src = [slot(t, 'vsrc' if vector else 'ssrc' if scalar_dst else 'vgpr') for t in src.split()]
        self.flags = [FLAGS[f] for f in flags.split()] + family_flags(numbers)
        self.args = [IMAGE_ARGS[a] for a in args.split()]
        self.numbers = {g: {} for g in GENERATIONS}
        for format_, value in numbers.items():
            assert format_ in FORMAT_SIZE, f'{name}: unknown format {format_}'
            by_generation = value if isinstance(value, dict) else {g: value for g in DEFAULT_GENERATIONS}
            for generation, number in by_generation.items():
                assert 0 <= number < FORMAT_SIZE[format_], f'{name}: {format_} has no number {number}'
                self.numbers[generation][format_] = number
        self.modifiers = vop3_modifiers(self) if vector else 0
        self.add_variants(ext)

    def add_variants(self, ext):
        """SDWA and DPP share the number of the 32-bit encoding they extend; VOPC has no DPP before GFX11."""
        for numbers in self.numbers.values():
            base = next((numbers[f] for f in ('vop1', 'vop2', 'vopc') if f in numbers), None)
            if base is None:
                continue
            if ext in ('all', 'sdwa'):
                numbers['sdwa'] = base
            if ext in ('all', 'dpp'):
                numbers['dpp16'] = numbers['dpp8'] = base


def slot(token, default_role):
    if token == 'm':
        return 'lane_mask', 'lane_mask'
    if token in ('simm16', 'label'):
        return token, 'none'
    role, _, type_ = token.rpartition(':')
    assert type_ in TYPES, f'unknown type in slot {token}'
    return (ROLES[role] if role else default_role), type_


def vop3_modifiers(row):
    """OpcodeInfo::modifiers: bits 0..2 sources with neg and abs, 3 clamp, 4 omod, 8..11 op_sel (11 is the result)."""
    formats = {f for numbers in row.numbers.values() for f in numbers}
    sources = [t for _, t in row.src]
    destinations = [t for _, t in row.dst]
    floats = [t in FLOATS for t in sources]
    if row.name == 'v_cndmask_b32':
        return 0b011
    if not formats & {'vop1', 'vop2', 'vopc', 'vop3', 'vop3p', 'vintrp'} or not row.src:
        return 0
    mask = sum(1 << i for i, is_float in enumerate(floats) if is_float)
    is_compare = 'vopc' in formats
    any_float = any(floats) or any(t in FLOATS for t in destinations)
    if (any_float and '_class_' not in row.name) or INT_CLAMP.match(row.name) or 'vop3p' in formats:
        mask |= 1 << 3
    no_omod = destinations[:1] == ['f16x2'] and row.name != 'v_cvt_pkrtz_f16_f32'
    no_omod |= row.name == 'v_interp_p2_f16'
    if not is_compare and 'vop3p' not in formats and not no_omod:
        if (destinations and destinations[0] in FLOATS) or INT_OMOD.match(row.name):
            mask |= 1 << 4
    if formats == {'vop3'} and any(t in OP_SEL_TYPES for t in sources) and not NO_OP_SEL.match(row.name):
        mask |= ((1 << len(sources)) - 1) << 8 | 1 << 11
    if 'permlane' in row.name:
        mask |= 0b11 << 8
    return mask


def family_flags(numbers):
    flags = []
    if any(f in SCALAR for f in numbers):
        flags += ['kSalu', 'kIgnoresExec']
    if any(f in VECTOR for f in numbers):
        flags += ['kValu']
    if 'smem' in numbers:
        flags += ['kSmem', 'kIgnoresExec']
    if any(f in VMEM for f in numbers):
        flags += ['kVmem']
    if 'ds' in numbers:
        flags += ['kLds']
    return flags


rows = []


def op(name, dst, src, flags='', args='', ext='all', **numbers):
    """Adds one opcode row."""
    rows.append(Row(name, dst, src, numbers, flags, args, ext))
