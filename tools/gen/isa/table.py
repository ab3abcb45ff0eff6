# SPDX-License-Identifier: MIT
"""The row type of the opcode tables.

    op('v_add_f32', 'f32', 'f32 f32', flags='commutative')

opcode, destinations, sources. The row of numbers/*.txt with the same name says in which formats and generations the opcode exists,
with which number and mnemonic.

A slot is `[role:]type`. Roles: v VGPR only, s scalar source or constant, r SGPR tuple only, sd SGPR destination,
i small immediate, k 32-bit constant stored in the instruction, vc VGPR or inline constant. `m` is a lane mask, `simm16` and `label` stand for
Inst::simm16. Without a role, a slot is what the family usually takes: VGPR destination and any source for vector
instructions, SGPR destination and scalar source for scalar ones.

short='v_fmac_f32 2' names a shorter opcode that computes the same where that source is the destination.

Where a generation differs, its name says how: gfx9={'dst': 'm'}. Keys: dst, src, flags, args, and needs (a feature that only some of the
generation's processors have).
"""
import pathlib
import re

GENERATIONS = ('gfx9', 'gfx10_1', 'gfx10_3', 'gfx11', 'gfx11_5', 'gfx12')
# The generation whose facts hold where none is asked for, then the others in the order in which one replaces it.
DEFAULT_ORDER = ('gfx10_3', 'gfx10_1', 'gfx9', 'gfx11', 'gfx11_5', 'gfx12')
FORMATS = ('invalid sop1 sop2 sopk sopc sopp smem vop1 vop2 vopc vop3 vop3p vopd sdwa dpp16 dpp8 vop3_dpp16 vop3_dpp8 vintrp '
           'vinterp ldsdir ds flat global scratch mubuf mtbuf mimg vimage vsample exp').split()
# Numbers in the opcode field of each format.
FORMAT_SIZE = dict(sop1=256, sop2=128, sopk=32, sopc=128, sopp=128, smem=256, vop1=256, vop2=64, vopc=256, vop3=1024,
                   vop3p=128, vopd=32, vintrp=4, vinterp=32, ldsdir=4, ds=256, flat=128, scratch=128, mubuf=256,
                   mtbuf=16, mimg=256, vimage=256, vsample=256, exp=1, **{'global': 128})
TYPES = ('none b1 b8 b16 b32 b64 b96 b128 b256 b512 b1024 i16 i32 i64 u16 u32 u64 f16 f32 f64 f16x2 i16x2 '
         'lane_mask w64 w128 w256').split()
FLAGS = dict(reads_scc='kReadsScc', writes_scc='kWritesScc', reads_vcc='kReadsVcc', writes_vcc='kWritesVcc',
             reads_exec='kReadsExec', writes_exec='kWritesExec', reads_m0='kReadsM0', writes_m0='kWritesM0',
             may_load='kMayLoad', may_store='kMayStore', atomic='kAtomic', returns='kReturns', branch='kBranch',
             terminator='kTerminator', side_effects='kSideEffects', commutative='kCommutative',
             dst_is_src='kDstIsSrc', transcendental='kTranscendental', ignores_exec='kIgnoresExec',
             tied_data='kTiedData', swaps='kSwapsOperands', interp='kInterp', two_offsets='kTwoOffsets',
             gds_only='kGdsOnly', one_scalar='kOneScalarSource',
             to_lds='kLoadsToLds', no_address='kNoAddress')
IMAGE_ARGS = dict(offset='kImageOffset', bias='kImageBias', compare='kImageCompare', gradients='kImageGradients',
                  half_gradients='kImageHalfGradients', lod='kImageLod', gather='kImageGather',
                  only_lod='kImageOnlyLod', ray='kImageRay')
FEATURES = ('none', 'mad_mix', 'fma_mix', 'dot', 'ray')
VARIANTS = dict(s=('sdwa',), d=('dpp16',), e=('dpp8',), v=('vop3_dpp16', 'vop3_dpp8'))

FLOATS = ('f16', 'f32', 'f64', 'f16x2')
# Integer instructions whose VOP3 form saturates on clamp, and conversions to integers that take an output modifier
# although it means nothing: LLVM 19 assembles both.
INT_CLAMP = re.compile(r'v_(mul_[iu]32_[iu]24|mad_[iu]32_[iu](24|16)|mad_[iu](16|64_[iu]32)|(add|sub|subrev)_(nc|co|co_ci)_.*'
                       r'|sad_.*|msad_u8|m?qsad_.*|(min|max|med)3_[iu]16)$')
INT_OMOD = re.compile(r'v_(cvt_[iu](16|32)_f(16|32|64)|cvt_norm_[iu]16_f16|frexp_exp_i(32_f64|16_f16))$')
OP_SEL_TYPES = ('f16', 'i16', 'u16')
HALF_TYPES = ('b16', 'i16', 'u16', 'f16')
HALF_GENERATIONS = ('gfx11', 'gfx11_5', 'gfx12')
HALF_FORMATS = ('vop1', 'vop2', 'vopc', 'vop3', 'vinterp')
NO_OP_SEL = re.compile(r'v_(mul_lo_u16|((max|min)(imum)?){1,2}(_num)?_f16|(min|max)_[iu]16|(lshl|lshr|ashr)rev_[bi]16'
                       r'|interp_.*|.*_legacy_[fiu]16|s_.*|align(bit|byte)_b32)$')

SCALAR = ('sop1', 'sop2', 'sopk', 'sopc', 'sopp')
VECTOR = ('vop1', 'vop2', 'vopc', 'vop3', 'vop3p', 'vopd', 'vintrp', 'vinterp', 'ldsdir')
VMEM = ('flat', 'global', 'scratch', 'mubuf', 'mtbuf', 'mimg', 'vimage', 'vsample')
ROLES = {'v': 'vgpr', 's': 'ssrc', 'r': 'sreg', 'sd': 'sdst', 'i': 'imm', 'k': 'constant', 'vc': 'vconst'}


class Facts:
    """What holds for one opcode on one generation: slots as (role, type) pairs, flag names, feature, modifiers."""

    def __init__(self, formats, dst, src, flags, args, needs='none'):
        vector = bool(formats & set(VECTOR))
        scalar_dst = bool(formats & {*SCALAR, 'smem'})
        self.dst = [slot(t, 'sdst' if scalar_dst else 'vdst') for t in dst.split()]
        self.src = [slot(t, 'vsrc' if vector else 'ssrc' if scalar_dst else 'vgpr') for t in src.split()]
        self.flags = [FLAGS[f] for f in flags.split()] + family_flags(formats)
        self.args = [IMAGE_ARGS[a] for a in args.split()]
        assert needs in FEATURES, needs
        self.needs = needs
        self.modifiers = 0


class Row:
    """One opcode: name, numbers[generation][format], names[generation], facts[generation]."""

    def __init__(self, name, dst, src, flags, args, short, differences):
        self.name = name
        self.short_form, self.tied_source = short.split() if short else ('invalid', 'kNoTiedSource')
        self.numbers, self.names = number_rows[name]
        formats = {f for numbers in self.numbers.values() for f in numbers}
        self.facts = {}
        for generation in GENERATIONS:
            values = dict(dst=dst, src=src, flags=flags, args=args) | differences.get(generation, {})
            facts = self.facts[generation] = Facts(formats, **values)
            if formats & set(VECTOR):
                facts.modifiers = vop3_modifiers(name, facts, set(self.numbers[generation]), generation)
                facts.modifiers |= half_modifiers(name, facts, set(self.numbers[generation]), generation)
        self.default = next(g for g in DEFAULT_ORDER if self.numbers[g])


def slot(token, default_role):
    if token == 'm':
        return 'lane_mask', 'lane_mask'
    if token in ('simm16', 'label'):
        return token, 'none'
    role, _, type_ = token.rpartition(':')
    assert type_ in TYPES, f'unknown type in slot {token}'
    return (ROLES[role] if role else default_role), type_


def half_modifiers(name, facts, formats, generation):
    """Since GFX11 a 16-bit operand is one half of a VGPR."""
    vgprs = [t for role, t in facts.dst + facts.src if role in ('vdst', 'vsrc', 'vgpr')]
    if generation not in HALF_GENERATIONS or not formats & set(HALF_FORMATS) or not set(vgprs) & set(HALF_TYPES):
        return 0
    return HALVES | (NAMED_HALVES if name in ('v_mov_b16', 'v_swap_b16') else 0)


def vop3_modifiers(name, facts, formats, generation):
    """OpcodeInfo::modifiers: bits 0..2 sources with neg and abs, 8..11 op_sel (11 is the result), the others as named below."""
    sources = [t for _, t in facts.src]
    destinations = [t for _, t in facts.dst]
    floats = [t in FLOATS for t in sources]
    if name == 'v_cndmask_b32':
        return 0b011
    if name in SPECIAL_MODIFIERS:
        return SPECIAL_MODIFIERS[name]
    if name.startswith(('v_wmma_', 'v_swmmac_')):
        return matrix_modifiers(name, generation)
    if 'vinterp' in formats:
        return 0b1111 | (0xf00 if 'f16' in sources + destinations else 0)
    if not formats & {'vop1', 'vop2', 'vopc', 'vop3', 'vop3p', 'vintrp'} or not sources:
        return 0
    mask = sum(1 << i for i, is_float in enumerate(floats) if is_float)
    is_compare = 'vopc' in formats
    any_float = any(floats) or any(t in FLOATS for t in destinations)
    if (any_float and '_class_' not in name) or INT_CLAMP.match(name) or 'vop3p' in formats:
        mask |= 1 << 3
    no_omod = destinations[:1] == ['f16x2'] and name != 'v_cvt_pkrtz_f16_f32'
    no_omod |= name in ('v_interp_p2_f16', 'v_interp_p2_legacy_f16')
    if not is_compare and 'vop3p' not in formats and not no_omod:
        if (destinations and destinations[0] in FLOATS) or INT_OMOD.match(name):
            mask |= 1 << 4
    if formats - {'vop3_dpp16', 'vop3_dpp8'} == {'vop3'} and any(t in OP_SEL_TYPES for t in sources) and not NO_OP_SEL.match(name):
        mask |= ((1 << len(sources)) - 1) << 8 | 1 << 11
    if 'permlane' in name:
        mask |= 0b11 << 8
    if 'vop3p' in formats:
        mask |= PACKED | ((1 << len(sources)) - 1) << 8
    return mask


CLAMP, OMOD, PACKED, HALVES, BYTE_SELECT = 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7
INDEX_KEY, NO_HIGH, NAMED_HALVES = 1 << 12, 1 << 13, 1 << 14
# Instructions whose modifiers do not follow from their types.
SPECIAL_MODIFIERS = dict(
    v_dot2_f16_f16=0b111 | 0xc00, v_dot2_bf16_bf16=0b111 | 0xc00, v_dot2_f32_bf16=0b111 | CLAMP | PACKED | 0x700,
    v_dot4_i32_iu8=0b011 | CLAMP | PACKED | NO_HIGH | 0x700, v_dot8_i32_iu4=0b011 | CLAMP | PACKED | NO_HIGH | 0x700,
    v_dot4_f32_fp8_bf8=0b100 | PACKED, v_dot4_f32_bf8_fp8=0b100 | PACKED, v_dot4_f32_fp8_fp8=0b100 | PACKED,
    v_dot4_f32_bf8_bf8=0b100 | PACKED, v_cvt_f32_fp8=BYTE_SELECT | 0x300, v_cvt_f32_bf8=BYTE_SELECT | 0x300,
    v_cvt_pk_f32_fp8=CLAMP | OMOD | 0x900, v_cvt_pk_f32_bf8=CLAMP | OMOD | 0x900, v_cvt_pk_fp8_f32=0b011 | 0x800,
    v_cvt_pk_bf8_f32=0b011 | 0x800, v_cvt_sr_fp8_f32=0b001 | BYTE_SELECT | 0xc00,
    v_cvt_sr_bf8_f32=0b001 | BYTE_SELECT | 0xc00)


def matrix_modifiers(name, generation):
    """Signs of the sources that have some; for integers, the low bits say which of A and B are signed."""
    mask = PACKED | (INDEX_KEY | 0x300 if 'swmmac' in name else 0)
    sources = 0b011 if 'swmmac' in name else 0b111
    if '_iu' in name:
        return mask | 0b011 | CLAMP | NO_HIGH
    if 'fp8' in name or 'bf8' in name:
        return mask | sources & 0b100
    halves = generation in ('gfx11', 'gfx11_5') and name.startswith(('v_wmma_f16', 'v_wmma_bf16'))
    return mask | sources | (0x700 if halves else 0)


def family_flags(formats):
    flags = []
    if formats & set(SCALAR):
        flags += ['kSalu', 'kIgnoresExec']
    if formats & set(VECTOR):
        flags += ['kValu']
    if 'smem' in formats:
        flags += ['kSmem', 'kIgnoresExec']
    if formats & set(VMEM):
        flags += ['kVmem']
    if 'ds' in formats:
        flags += ['kLds']
    return flags


def columns(cells):
    """One value per generation: '=' repeats the column before, the last column holds to the end."""
    values = []
    for cell in cells:
        values.append(values[-1] if cell == '=' else cell)
    assert values and len(values) <= len(GENERATIONS), f'bad columns: {cells}'
    return dict(zip(GENERATIONS, values + values[-1:] * (len(GENERATIONS) - len(values))))


def parse_number_row(line):
    """Returns the opcode, numbers[generation][format] and names[generation]."""
    name, *groups = re.split(r'  +', line.strip())
    numbers = {g: {} for g in GENERATIONS}
    names = dict.fromkeys(GENERATIONS, name)
    for group in groups:
        key, *cells = group.split()
        by_generation = columns(cells)
        if key == 'name':
            names = by_generation
            continue
        for generation, cell in by_generation.items():
            if cell == '-':
                continue
            if key == 'ext':
                base = next(numbers[generation][f] for f in ('vop1', 'vop2', 'vopc', 'vop3', 'vop3p') if f in numbers[generation])
                for letter in cell:
                    long_form = numbers[generation].get('vop3', numbers[generation].get('vop3p'))
                    numbers[generation].update(dict.fromkeys(VARIANTS[letter], long_form if letter == 'v' else base))
                continue
            number = int(cell, 16)
            assert 0 <= number < FORMAT_SIZE[key], f'{name}: {key} has no number {number}'
            numbers[generation][key] = number
    return name, numbers, names


def load_numbers():
    table = {}
    for path in sorted((pathlib.Path(__file__).resolve().parent / 'numbers').glob('*.txt')):
        for line in path.read_text(encoding='utf-8').splitlines():
            if not line or line.startswith('#'):
                continue
            name, numbers, names = parse_number_row(line)
            assert name not in table, f'{name} has two number rows'
            table[name] = numbers, names
    return table


rows = []
number_rows = load_numbers()


def op(name, dst, src, flags='', args='', short='', **differences):
    """Adds one opcode row."""
    assert name in number_rows, f'{name} has no numbers'
    assert set(differences) <= set(GENERATIONS), f'{name}: unknown generation'
    rows.append(Row(name, dst, src, flags, args, short, differences))
