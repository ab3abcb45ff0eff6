#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the opcode tables with what LLVM's disassembler knows: every number of every format, both ways.

Usage: isa_check.py [--cpu gfx1030] [--llvm-mc llvm-mc-19] [--list]

Feeds each opcode number of each format to llvm-mc in a few operand patterns and compares the mnemonics with the tables.
Prints the numbers that only one side knows. --list prints LLVM's name and an example for every number, which is the raw
material for the rows of a new generation. Exit status: 0 equal, 1 different, 77 llvm-mc is not installed.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'gen'))
import gen_isa  # noqa: E402

GENERATION = {'gfx103': 'gfx10_3'}
SUFFIX = re.compile(r'_(e32|e64|sdwa|dpp)$')
VARIANTS = ('sdwa', 'dpp16', 'dpp8')  # their numbers are those of the encoding they extend
BATCH = 30000  # marker numbers stay positive 16-bit values

# Numbers that LLVM accepts although nothing should be there: format and number to reason.
EXCEPTIONS = {}


def scalar_patterns():
    for op in range(96):
        yield 'sop2', op, [0x80000000 | op << 23 | 8 << 16 | 16 << 8 | 24]
    for op in range(256):
        yield 'sop1', op, [0xbe800000 | 8 << 16 | op << 8 | 24]
    for op in range(29):
        yield 'sopk', op, [0xb0000000 | op << 23 | 8 << 16 | 5]
        yield 'sopk', op, [0xb0000000 | op << 23 | 8 << 16 | 5, 0x1234567]
    for op in range(128):
        yield 'sopc', op, [0xbf000000 | op << 16 | 16 << 8 | 24]
        yield 'sopp', op, [0xbf800000 | op << 16 | 5]
        yield 'sopp', op, [0xbf800000 | op << 16]
    for op in range(256):
        yield 'smem', op, [0xf4000000 | op << 18 | 8 << 6 | 8, 125 << 25 | 16]
        yield 'smem', op, [0xf4000000 | op << 18 | 8 << 6, 0]
        yield 'smem', op, [0xf4000000 | op << 18, 0]


def short_vector_patterns():
    for op in range(62):
        for tail in ([], [0x1234567]):
            yield 'vop2', op, [op << 25 | 8 << 17 | 16 << 9 | 280] + tail
        yield 'sdwa', ('vop2', op), [op << 25 | 8 << 17 | 16 << 9 | 0xf9, 24 | 6 << 8 | 6 << 16 | 6 << 24]
        yield 'dpp16', ('vop2', op), [op << 25 | 8 << 17 | 16 << 9 | 0xfa, 24 | 0xff << 24]
        yield 'dpp8', ('vop2', op), [op << 25 | 8 << 17 | 16 << 9 | 0xe9, 24]
    for op in range(256):
        yield 'vop1', op, [0x7e000000 | 8 << 17 | op << 9 | 280]
        yield 'vop1', op, [0x7e000000 | op << 9]
        yield 'sdwa', ('vop1', op), [0x7e000000 | 8 << 17 | op << 9 | 0xf9, 24 | 6 << 8 | 6 << 16]
        yield 'dpp16', ('vop1', op), [0x7e000000 | 8 << 17 | op << 9 | 0xfa, 24 | 0xff << 24]
        yield 'dpp8', ('vop1', op), [0x7e000000 | 8 << 17 | op << 9 | 0xe9, 24]
        yield 'vopc', op, [0x7c000000 | op << 17 | 16 << 9 | 280]
        yield 'sdwa', ('vopc', op), [0x7c000000 | op << 17 | 16 << 9 | 0xf9, 24 | 6 << 16 | 6 << 24]
        yield 'dpp16', ('vopc', op), [0x7c000000 | op << 17 | 16 << 9 | 0xfa, 24 | 0xff << 24]
        yield 'dpp8', ('vopc', op), [0x7c000000 | op << 17 | 16 << 9 | 0xe9, 24]


def long_vector_patterns():
    sources = ((272, 280, 288), (272, 280, 0), (272, 0, 0), (0, 0, 0), (16, 24, 32), (272, 24, 32), (16, 280, 0),
               (0, 272, 0), (0, 272, 280))
    for op in range(1024):
        for a, b, c in sources:
            word = 0xd4000000 | op << 16 | 8
            yield 'vop3', op, [word, a | b << 9 | c << 18]
            yield 'vop3', op, [word | 40 << 8, a | b << 9 | c << 18]
        yield 'vop3', op, [0xd4000000 | op << 16, 0]
        yield 'vop3', op, [0xd4000000 | op << 16 | 126, 272 | 280 << 9]
    for op in range(128):
        for a, b, c in sources[:2]:
            yield 'vop3p', op, [0xcc004008 | op << 16, a | b << 9 | c << 18 | 3 << 27]
    for op in range(4):
        yield 'vintrp', op, [0xc8000000 | op << 16 | 8 << 18 | 16]


def memory_patterns():
    for op in range(256):
        for gds in (0, 1):
            for used in range(16):
                registers = (40 << 24) * (used & 1) | (32 << 16) * (used >> 1 & 1) | (24 << 8) * (used >> 2 & 1)
                yield 'ds', op, [0xd8000000 | op << 18 | gds << 17, registers | 16 * (used >> 3)]
    for op in range(128):
        for segment, name in ((0, 'flat'), (1, 'scratch'), (2, 'global')):
            for used in range(8):
                for saddr in (125, 8):
                    for glc in (0, 1):
                        registers = (40 << 24) * (used & 1) | (24 << 8) * (used >> 1 & 1) | 16 * (used >> 2)
                        yield name, op, [0xdc000000 | op << 18 | segment << 14 | glc << 16, registers | saddr << 16]
    for op in range(256):
        yield 'mubuf', op, [0xe0000000 | op << 18 | 1 << 13, 128 << 24 | 2 << 16 | 24 << 8 | 16]
        yield 'mubuf', op, [0xe0000000 | op << 18, 0]
    for op in range(16):
        yield 'mtbuf', op, [0xe8000000 | (op & 7) << 16 | 22 << 19 | 1 << 13,
                            (op >> 3) << 21 | 128 << 24 | 2 << 16 | 24 << 8 | 16]
    for op in range(256):
        word = 0xf0000000 | (op & 127) << 18 | op >> 7
        for dmask in (1, 3, 15):
            for sampler in (0, 4):
                yield 'mimg', op, [word | 1 << 3 | dmask << 8, sampler << 21 | 2 << 16 | 24 << 8 | 16]
        yield 'mimg', op, [word | 15 << 8 | 1 << 12 | 1 << 15, 2 << 16 | 24 << 8 | 16]
    yield 'exp', 0, [0xf800000f, 0x04030201]


def byte_list(words):
    return '[' + ' '.join(f'0x{b:02x}' for w in words for b in w.to_bytes(4, 'little')) + ']\n'


def disassemble(code, options):
    """The text of each word sequence, or None where LLVM rejects it or sees several instructions."""
    texts = []
    for start in range(0, len(code), BATCH):
        part = code[start:start + BATCH]
        text = ''.join(byte_list(words) + byte_list([0xbf800000 | i]) for i, words in enumerate(part))
        command = [options.llvm_mc, '-triple=amdgcn', f'-mcpu={options.cpu}', '-mattr=+wavefrontsize32', '--disassemble']
        output = subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout
        pending = []
        for line in output.splitlines():
            line = line.strip()
            marker = len(texts) - start
            if line in (f's_nop {marker}', f's_nop 0x{marker:x}'):
                texts.append(pending[0] if len(pending) == 1 else None)
                pending = []
            elif line and not line.startswith('.'):
                pending.append(line)
        if len(texts) != start + len(part):
            sys.exit(f'{options.llvm_mc} stopped early')
    return texts


def known_to_llvm(options):
    """(format, number) to (mnemonic, example). Variants are keyed by the encoding they extend."""
    patterns = [*scalar_patterns(), *short_vector_patterns(), *long_vector_patterns(), *memory_patterns()]
    found = {}
    for (format_, number, _), text in zip(patterns, disassemble([words for _, _, words in patterns], options)):
        if text is not None:
            found.setdefault((format_, number), (SUFFIX.sub('', text.split()[0]), text))
    return found


def known_to_tables(generation):
    found = {}
    for row in gen_isa.load_rows():
        numbers = row.numbers[generation]
        base = next((f for f in ('vop1', 'vop2', 'vopc') if f in numbers), None)
        for format_, number in numbers.items():
            key = (base, number) if format_ in VARIANTS else number
            found[format_, key] = row.name
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--cpu', default='gfx1030')
    parser.add_argument('--llvm-mc', default='llvm-mc-19')
    parser.add_argument('--list', action='store_true')
    options = parser.parse_args()
    if shutil.which(options.llvm_mc) is None:
        print(f'{options.llvm_mc} is not installed (Debian package llvm-19)')
        sys.exit(77)
    llvm = known_to_llvm(options)
    if options.list:
        for (format_, number), (name, text) in llvm.items():
            print(format_, number, name, '|', text)
        return
    ours = known_to_tables(GENERATION[options.cpu[:6]])
    differences = 0
    for key in sorted(set(llvm) | set(ours), key=str):
        theirs = llvm.get(key, ('nothing', ''))[0]
        if theirs != ours.get(key, 'nothing') and key not in EXCEPTIONS:
            differences += 1
            print(f'{key[0]} {key[1]}: LLVM has {theirs}, the tables have {ours.get(key, "nothing")}')
    rows = len({name for name in ours.values()})
    print(f'{options.cpu}: {rows} rows, {len(ours)} encodings, LLVM knows {len(llvm)}, {differences} differences')
    sys.exit(1 if differences else 0)


if __name__ == '__main__':
    main()
