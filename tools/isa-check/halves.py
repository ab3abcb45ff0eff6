#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what LLVM says about register halves (v1.l, v1.h): words and text of every 16-bit opcode in each of its formats.

Usage: halves.py --llvm-mc llvm-mc-21 gfx1100 gfx1150 > tests/unit/isa/text/halves_gfx1100.txt

The words are put together here, by the field layouts of the ISA guides; each slot is once a high and once a low half. LLVM
disassembles them and must assemble its text to the same words. All processors named must agree.
"""
import argparse
import re
import subprocess
import sys

import isa_check
from isa_check import BATCH, CPUS, gen_isa
from isa import table

ATTRIBUTES = '+wavefrontsize32,+real-true16'
DPP16, DPP8 = 250, 233
DPP16_CONTROL = 0x1b << 8 | 0xff << 24  # quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf
DPP8_CONTROL = 0x053977 << 8  # dpp8:[7,6,5,4,3,2,1,0]
VGPR_ROLES = ('vdst', 'vsrc', 'vgpr')
LITERAL = 0x1234
DST, LANE_MASK, EXEC = 5, 8, 126


def half_bits(facts):
    """op_sel bits of the slots that are halves of VGPRs."""
    def is_half(slot):
        return slot[0] in VGPR_ROLES and slot[1] in table.HALF_TYPES
    bits = sum(1 << i for i, slot in enumerate(facts.src) if is_half(slot))
    return bits | (8 if facts.dst and is_half(facts.dst[0]) else 0)


def short_words(base, number, facts, halves, form):
    """VOP1, VOP2 and VOPC: bit 7 of a register number is its half."""
    def high(bit):
        return 128 * (halves >> bit & 1)
    registers = [i + 1 + high(i) for i, (role, _) in enumerate(facts.src) if role in VGPR_ROLES]
    source0 = {'dpp16': DPP16, 'dpp8': DPP8}.get(form, 256 + registers[0])
    words = []
    if base == 'vop1':
        words.append(0x3f << 25 | DST + high(3) << 17 | number << 9 | source0)
    elif base == 'vop2':
        words.append(number << 25 | DST + high(3) << 17 | registers[1] << 9 | source0)
    else:
        words.append(0x3e << 25 | number << 17 | registers[1] << 9 | source0)
    if form == 'dpp16':
        words.append(DPP16_CONTROL | registers[0])
    elif form == 'dpp8':
        words.append(DPP8_CONTROL | registers[0])
    elif any(role == 'constant' for role, _ in facts.src):
        words.append(LITERAL)
    return words


def long_words(number, facts, halves, form, sources):
    """VOP3 and VINTERP: bits 14..11 are op_sel."""
    dst = EXEC if not facts.dst else DST if facts.dst[0][0] == 'lane_mask' else 200 + DST
    codes = list(sources)
    for i, (role, _) in enumerate(facts.src):
        if role == 'lane_mask':
            codes[i] = LANE_MASK
    codes = [code if i < len(facts.src) else 0 for i, code in enumerate(codes)]
    first = codes[0] - 256
    if form.startswith('vop3_dpp'):
        codes[0] = DPP16 if form == 'vop3_dpp16' else DPP8
    marker = 0xcd000000 if form == 'vinterp' else 0xd4000000
    words = [marker | number << 16 | halves << 11 | dst, codes[2] << 18 | codes[1] << 9 | codes[0]]
    if form == 'vop3_dpp16':
        words.append(DPP16_CONTROL | first)
    elif form == 'vop3_dpp8':
        words.append(DPP8_CONTROL | first)
    return words


def samples(generation):
    """Words of each opcode and format, twice: the halves of one are the other's complement."""
    for row in gen_isa.load_rows():
        facts, numbers = row.facts[generation], row.numbers[generation]
        if not numbers or not facts.modifiers & table.HALVES:
            continue
        bits = half_bits(facts)
        base = next((f for f in ('vop1', 'vop2', 'vopc') if f in numbers), None)
        for form, number in numbers.items():
            for halves in (bits & 0b1001, bits & 0b0110):
                if form in ('vop1', 'vop2', 'vopc', 'dpp16', 'dpp8'):
                    yield short_words(base, number, facts, halves, form)
                else:
                    yield long_words(number, facts, halves, form, (256 + 1, 256 + 202, 256 + 3))
        # Scalars and constants have halves in VOP3 only; the text of v_cndmask_b16 does not say which.
        if 'vop3' in numbers and bits & 1 and facts.src[-1][0] != 'lane_mask':
            yield long_words(numbers['vop3'], facts, bits & 0b1001, 'vop3', (4, 256 + 2, 256 + 3))
            yield long_words(numbers['vop3'], facts, bits & 0b1001, 'vop3', (129, 256 + 2, 256 + 3))


def assemble(lines, cpu, options):
    """The words of each line, or None where LLVM takes it for no single instruction."""
    encodings = []
    for start in range(0, len(lines), BATCH):
        part = lines[start:start + BATCH]
        text = ''.join(f'{line}\ns_nop {i:#x}\n' for i, line in enumerate(part))
        command = [options.llvm_mc, '-triple=amdgcn', f'-mcpu={cpu}', f'-mattr={ATTRIBUTES}', '--show-encoding']
        output = subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout
        pending = []
        for found in re.finditer(r'encoding: \[([^\]]*)\]', output):
            data = bytes(int(byte, 16) for byte in found[1].split(','))
            words = [int.from_bytes(data[i:i + 4], 'little') for i in range(0, len(data), 4)]
            if words == [0xbf800000 | len(encodings) - start]:
                encodings.append(pending[0] if len(pending) == 1 else None)
                pending = []
            else:
                pending.append(words)
    assert len(encodings) == len(lines), 'the assembler stopped early'
    return encodings


def ask(cpu, options):
    """(words, text) of every sample that LLVM knows, and the texts that it assembles to something else."""
    code = list(samples(CPUS[cpu][0]))
    texts = [text and ' '.join(text.split()) for text in isa_check.disassemble(code, cpu, options, ATTRIBUTES)]
    unknown = [words for words, text in zip(code, texts) if text is None or '/*' in text]
    assert not unknown, f'{cpu}: LLVM does not know {["%08x" % word for word in unknown[0]]}'
    differing = {text for text, words, again in zip(texts, code, assemble(texts, cpu, options)) if words != again}
    return list(zip(code, texts)), differing


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--llvm-mc', default='llvm-mc-21')
    parser.add_argument('cpu', nargs='+', choices=list(CPUS))
    options = parser.parse_args()
    answers = [ask(cpu, options) for cpu in options.cpu]
    if any(answer != answers[0] for answer in answers):
        sys.exit('the processors differ')
    lines, differing = answers[0]
    version = subprocess.run([options.llvm_mc, '--version'], capture_output=True, text=True, check=True).stdout
    print(f'# {re.search("LLVM version [0-9.]+", version)[0]} with -mattr={ATTRIBUTES}, on {" and ".join(options.cpu)} alike.')
    print('# Words, then the text that LLVM disassembles them to and assembles them from. Where a + stands between, it only disassembles.')
    print(f'# tools/isa-check/halves.py --llvm-mc {options.llvm_mc} {" ".join(options.cpu)}')
    for words, text in lines:
        print(','.join(f'{word:08x}' for word in words), *(['+'] if text in differing else []), text)


if __name__ == '__main__':
    main()
