#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the opcode tables with what LLVM's disassembler knows: every number of every format, both ways.

Usage: isa_check.py [--cpu gfx1030]... [--llvm-mc llvm-mc-19] [--list]

Without --cpu, every processor. Feeds each opcode number of each format to llvm-mc in a few operand patterns and compares the
mnemonics with the tables. Prints the numbers that only one side knows. --list prints LLVM's name and an example for every number, which is the raw
material for the rows of a new generation. Exit status: 0 equal, 1 different, 77 llvm-mc is not installed.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'gen'))
import gen_isa  # noqa: E402
from patterns import patterns  # noqa: E402

# Processors of LLVM 19: their generation and the features (FEATURES in gen/isa/table.py) that they have.
KINDS = (('gfx900 gfx902 gfx909 gfx90c', 'gfx9', {'mad_mix'}), ('gfx904', 'gfx9', {'fma_mix'}), ('gfx906', 'gfx9', {'fma_mix', 'dot'}),
         ('gfx1010', 'gfx10_1', set()), ('gfx1011 gfx1012', 'gfx10_1', {'dot'}), ('gfx1013', 'gfx10_1', {'ray'}),
         ('gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036', 'gfx10_3', {'dot'}), ('gfx1100 gfx1101 gfx1102 gfx1103', 'gfx11', set()),
         ('gfx1150 gfx1151 gfx1152', 'gfx11_5', set()), ('gfx1200 gfx1201', 'gfx12', set()))
CPUS = {cpu: (generation, features) for cpus, generation, features in KINDS for cpu in cpus.split()}
SUFFIX = re.compile(r'(_(e32|e64|sdwa|dpp|e64_dpp))+$')
VARIANTS = {'sdwa': ('vop1', 'vop2', 'vopc'), 'dpp16': ('vop1', 'vop2', 'vopc'), 'dpp8': ('vop1', 'vop2', 'vopc'),
            'vop3_dpp16': ('vop3', 'vop3p'), 'vop3_dpp8': ('vop3', 'vop3p')}
VOPD_FIRST = 16  # operations from here on can only be the second one
BATCH = 30000  # marker numbers stay positive 16-bit values

# Where LLVM 19 is not followed: format and number to reason.
NEWER = 'LLVM has it since version 20; tests/unit/isa/halves_test.cpp judges it'
EXCEPTIONS = {('vop1', 0x66): NEWER, **{(format_, key): NEWER for format_, key in (
    ('vop3', 0x19c), ('vop3_dpp16', ('vop3', 0x19c)), ('vop3_dpp8', ('vop3', 0x19c)))}}


def byte_list(words):
    return '[' + ' '.join(f'0x{b:02x}' for w in words for b in w.to_bytes(4, 'little')) + ']\n'


def disassemble(code, cpu, options, attributes='+wavefrontsize32'):
    """The text of each word sequence, or None where LLVM rejects it or sees several instructions."""
    texts = []
    for start in range(0, len(code), BATCH):
        part = code[start:start + BATCH]
        text = ''.join(byte_list(words) + byte_list([0xbf800000 | i]) for i, words in enumerate(part))
        command = [options.llvm_mc, '-triple=amdgcn', f'-mcpu={cpu}', '--disassemble']
        if CPUS[cpu][0] != 'gfx9':
            command.append(f'-mattr={attributes}')
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


def mnemonic(format_, text):
    """Without the suffix of the encoding; of a VOPD instruction, the half that the pattern varies."""
    if format_ in ('vopd', 'vopd_y'):
        return text.split('::')[format_ == 'vopd_y'].split()[0].replace('v_dual_', 'v_')
    return SUFFIX.sub('', text.split()[0])


def known_to_llvm(cpu, options):
    """(format, number) to (mnemonic, example). Variants are keyed by the encoding they extend."""
    tried = list(patterns(CPUS[cpu][0]))
    found = {}
    for (format_, number, _), text in zip(tried, disassemble([words for _, _, words in tried], cpu, options)):
        if text is not None:
            found.setdefault((format_, number), (mnemonic(format_, text), text))
    return found


def known_to_tables(cpu):
    generation, features = CPUS[cpu]
    found = {}
    for row in gen_isa.load_rows():
        if row.facts[generation].needs not in features | {'none'}:
            continue
        numbers = row.numbers[generation]
        for format_, number in numbers.items():
            key = number
            if format_ in VARIANTS:
                key = next(f for f in VARIANTS[format_] if f in numbers), number
            if format_ == 'vopd':
                found['vopd_y', key] = row.names[generation]
                if number >= VOPD_FIRST:
                    continue
            found[format_, key] = row.names[generation]
    return found


def check(cpu, options):
    """Prints the differences and returns how many there are."""
    llvm = known_to_llvm(cpu, options)
    if options.list:
        for (format_, number), (name, text) in llvm.items():
            print(format_, number, name, '|', text)
        return 0
    ours = known_to_tables(cpu)
    differences = 0
    for key in sorted(set(llvm) | set(ours), key=str):
        theirs = llvm.get(key, ('nothing', ''))[0]
        if theirs != ours.get(key, 'nothing') and key not in EXCEPTIONS:
            differences += 1
            print(f'{cpu} {key[0]} {key[1]}: LLVM has {theirs}, the tables have {ours.get(key, "nothing")}')
    rows = len(set(ours.values()))
    print(f'{cpu}: {rows} opcodes, {len(ours)} encodings, LLVM knows {len(llvm)}, {differences} differences')
    return differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--cpu', action='append', choices=list(CPUS))
    parser.add_argument('--llvm-mc', default='llvm-mc-19')
    parser.add_argument('--list', action='store_true')
    options = parser.parse_args()
    if shutil.which(options.llvm_mc) is None:
        print(f'{options.llvm_mc} is not installed (Debian package llvm-19)')
        sys.exit(77)
    differences = sum(check(cpu, options) for cpu in options.cpu or CPUS)
    sys.exit(1 if differences else 0)


if __name__ == '__main__':
    main()
