#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the flags of the opcode tables with LLVM: loads and stores, the registers that an instruction reads and writes implicitly, and
whether a vector instruction reads its old destination.

Usage: flags_check.py [--cpu gfx1100]... [--llvm 19]

llvm-mca says what may load and store. Implicit registers come from llc: it refuses machine code text (MIR) that leaves one out, and
names it. Exit status: 0 equal, 1 different, 77 LLVM is not installed.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import isa_check
from isa_check import CPUS, gen_isa

DEFAULT_CPUS = ('gfx906', 'gfx1011', 'gfx1030', 'gfx1100', 'gfx1150', 'gfx1200')
MISSING = re.compile(r":(\d+):\d+: missing implicit register operand '(implicit(?:-def)?) \$(\w+)'")
# Implicit registers that have a flag.
READS = {'scc': 'kReadsScc', 'vcc': 'kReadsVcc', 'm0': 'kReadsM0'}
WRITES = {'scc': 'kWritesScc', 'vcc': 'kWritesVcc', 'm0': 'kWritesM0', 'exec': 'kWritesExec'}
PARSE_ERROR = re.compile(r'^error:', re.M)
# Where LLVM is not followed.
EXCEPTIONS = (
    (r's_quadmask_b(32|64)', 'kWritesScc'),  # the ISA guides say that it does
    (r's_setvskip', 'kWritesScc'),  # LLVM gives it what comparisons have, whose encoding it shares
    (r'ds_.*', 'kReadsM0'),  # see unflagged()
    (r'v_interp_p(10|2)(_rtz)?_(f16_)?f32(_reg)?', 'kReadsM0'),  # since GFX11 m0 is for lds_param_load
    (r'lds_(param|direct)_load|v_interp_p2_f16', 'kReadsM0'),  # LLVM forgets it on GFX12, and on GFX9
    (r'image_get_resinfo', 'kMayLoad'),  # waits count it as a load
    (r'exp', 'kMayStore'),
    (r'v_pk_fmac_f16|v_cvt_pkaccum_u8_f32', 'kDstIsSrc'),  # LLVM forgets it
    (r'v_movrel.*d.*', 'kDstIsSrc'),  # it is no old destination to LLVM, which knows its register at run time only
)
# Implicit registers that have none.
UNFLAGGED = ('implicit $exec', 'implicit $mode', 'implicit-def $mode', 'implicit $flat_scr')
FIRST_LINE = 5  # of the machine code
# The disassembler writes registers that an operand cannot have, and the assembler takes less than that.
INVALID = re.compile(r"v(?:\d+|\[\d+:\d+\])/\*Invalid register, operand has '(\w+)' register class\*/")
ACCESSES = {'kMayLoad', 'kMayStore'}
ACCEPTED = ((r'^(s_waitcnt_\w+) s8', r'\1 null'), (r'^(s_set_gpr_idx_on s24), .*', r'\1, 0'),
            (r'^(s_(?:wakeup_|get_)?barrier\w*(?: s8,)?) s24', r'\1 1'))
# llvm-mca crashes on these before GFX11.
CRASHES = re.compile(r'buffer_(load|store)_|tbuffer_')
CHECKED = {*READS.values(), *WRITES.values()} | ACCESSES


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


class Llvm:
    """LLVM's tools for one processor."""

    def __init__(self, cpu, version):
        self.cpu = cpu
        self.version = version
        self.options = argparse.Namespace(llvm_mc=f'llvm-mc-{version}', list=False)
        self.attributes = [] if CPUS[cpu][0] == 'gfx9' else ['-mattr=+wavefrontsize32']

    def examples(self):
        """(format, number) to an instruction text."""
        return {key: text for key, (_, text) in isa_check.known_to_llvm(self.cpu, self.options).items()}

    def machine_opcodes(self, texts):
        """LLVM's name of the opcode of each text and its register operands, None where its assembler rejects its disassembler's text."""
        lines = ''.join(f'{text}\ns_nop {i}\n' for i, text in enumerate(texts))
        output = run([self.options.llvm_mc, '-triple=amdgcn', f'-mcpu={self.cpu}', *self.attributes, '--show-inst'], lines).stdout
        opcodes = [None] * len(texts)
        pending = None
        for line in output.splitlines():
            if register := re.search(r'<MCOperand Reg:(\d+)>', line):
                pending[1].append(register[1])
            found = re.search(r'<MCInst #\d+ (\w+)', line)
            if not found:
                continue
            if marker := re.match(r'\s*s_nop (0x[0-9a-f]+|\d+)\s', line):
                if pending:
                    opcodes[int(marker[1], 0)] = pending
                pending = None
            else:
                pending = found[1], []
        return opcodes

    def accesses(self, texts):
        """The columns of each text that say whether it may load and store. Texts on which llvm-mca crashes are left out."""
        command = [f'llvm-mca-{self.version}', '-mtriple=amdgcn', f'-mcpu={self.cpu}', *self.attributes, '-instruction-info',
                   '-summary-view=false', '-resource-pressure=false', '-iterations=1', '-skip-unsupported-instructions=any']
        found = {}
        parts = [texts]
        while parts:
            part = parts.pop()
            result = run(command, '\n'.join(part) + '\n')
            rows = re.findall(r'^ *\d+ +\d+ +[\d.]+(.{15})\s+U? +\t?(.*)$', result.stdout, re.M)
            if len(rows) == len(part):
                found.update((text, access) for text, (access, _) in zip(part, rows))
            elif len(part) > 1:
                parts += [part[:len(part) // 2], part[len(part) // 2:]]
        return found

    def first_missing(self, registers):
        """The first implicit register that LLVM's opcodes need beside the given ones: (opcode, 'implicit $scc') or None."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'opcodes.mir'
            order = list(registers)
            lines = [f'    {name} {", ".join([*sorted(registers[name]), *unflagged(name)])}' for name in order]
            path.write_text('\n'.join(['---', 'name: f', 'body: |', '  bb.0:', *lines, '...', '']), encoding='utf-8')
            result = run([f'llc-{self.version}', '-march=amdgcn', f'-mcpu={self.cpu}', *self.attributes, '-run-pass=none', '-o', '-',
                          str(path)])
        missing = MISSING.search(result.stderr)
        assert missing or not PARSE_ERROR.search(result.stderr), result.stderr[:1000]
        return missing and (order[int(missing[1]) - FIRST_LINE], f'{missing[2]} ${missing[3]}')

    def implicit_registers(self, claims, proven):
        """The implicit registers of each opcode that have a flag. `claims` is what the tables say: those that LLVM does not know go,
        the others come. `proven` holds opcode names of other processors, without their suffix, with claims that LLVM knows."""
        registers = {name: set(claimed) for name, claimed in claims.items()}
        while missing := self.first_missing(registers):
            registers[missing[0]].add(missing[1])
        for name, claimed in claims.items():
            for register in sorted(claimed):
                claim = (name.rsplit('_', 1)[0], register)
                if claim in proven:
                    continue
                if self.first_missing({name: registers[name] - {register}}) is None:
                    registers[name].remove(register)
                else:
                    proven.add(claim)
        return registers


def unflagged(name):
    """LLVM lets the LDS instructions of all generations read m0, which the first ones did."""
    return (*UNFLAGGED, 'implicit $m0') if name.startswith('DS_') else UNFLAGGED


def example_of(row, generation, examples):
    """The text of a row in the encoding with the fewest implied registers."""
    numbers = row.numbers[generation]
    for format_ in sorted(numbers, key=lambda f: (f not in ('vop3', 'vop3p'), f)):
        text = examples.get((format_, numbers[format_]))
        if text:
            lanes = 's[8:9]' if generation == 'gfx9' else 's8'
            text = INVALID.sub(lambda found: lanes if 'SReg_1' in found[1] else 's8', text)
            for pattern, replacement in ACCEPTED:
                text = re.sub(pattern, replacement, text)
            return text
    return None


def claims(flags):
    """As MIR writes them; the 64-bit names stand for both."""
    reads = {f'implicit ${register}' for register, flag in READS.items() if flag in flags}
    return reads | {f'implicit-def ${register}' for register, flag in WRITES.items() if flag in flags}


def names_destination_once(text):
    operands = text.split(None, 1)[1:]
    destination = operands and operands[0].split(',')[0].strip()
    return bool(destination) and len(re.findall(re.escape(destination) + r'(?!\w)', operands[0])) == 1


def flags_of(access, registers):
    flags = {READS[r] for r in READS if f'implicit ${r}' in registers} | {WRITES[r] for r in WRITES if f'implicit-def ${r}' in registers}
    return flags | ({'kMayLoad'} if '*' in access[:8] else set()) | ({'kMayStore'} if '*' in access[8:] else set())


def check(cpu, version, proven):
    generation, features = CPUS[cpu]
    llvm = Llvm(cpu, version)
    examples = llvm.examples()
    rows = [row for row in gen_isa.load_rows() if row.numbers[generation] and row.facts[generation].needs in features | {'none'}]
    texts = {row: example_of(row, generation, examples) for row in rows}
    rows = [row for row in rows if texts[row]]
    opcodes = dict(zip(rows, llvm.machine_opcodes([texts[row] for row in rows])))
    unknown = [texts[row] for row in rows if not opcodes[row]]
    rows = [row for row in rows if opcodes[row]]
    names = {row: opcodes[row][0] for row in rows}
    new = generation in ('gfx11', 'gfx11_5', 'gfx12')
    found = llvm.accesses([texts[row] for row in rows if new or not CRASHES.match(row.name)])
    registers = llvm.implicit_registers({names[row]: claims(row.facts[generation].flags) for row in rows}, proven)
    differences = 0
    for row in rows:
        theirs = flags_of(found.get(texts[row], ''), registers[names[row]])
        ours = CHECKED & set(row.facts[generation].flags)
        flags = row.facts[generation].flags
        if 'kValu' in flags and 'kSwapsOperands' not in flags and names_destination_once(texts[row]):
            ours |= {'kDstIsSrc'} & set(flags)
            # The old destination is an operand that the text does not name.
            theirs |= {'kDstIsSrc'} if opcodes[row][1].count(opcodes[row][1][0]) > 1 else set()
        # Waits and the like load and store for LLVM, so that nothing moves across them.
        if texts[row] not in found or 'kSideEffects' in row.facts[generation].flags:
            theirs -= ACCESSES
            ours -= ACCESSES
        excepted = {flag for pattern, flag in EXCEPTIONS if re.fullmatch(pattern, row.name)}
        for flag in sorted((theirs ^ ours) - excepted):
            differences += 1
            print(f'{cpu} {row.name}: {"LLVM" if flag in theirs else "the table"} has {flag}')
    print(f'{cpu}: {len(rows)} opcodes, {differences} differences, {len(unknown)} not assembled')
    assert len(unknown) < 12, unknown
    return differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--cpu', action='append', choices=list(CPUS))
    parser.add_argument('--llvm', default='19')
    options = parser.parse_args()
    for tool in ('llvm-mc', 'llvm-mca', 'llc'):
        if shutil.which(f'{tool}-{options.llvm}') is None:
            print(f'{tool}-{options.llvm} is not installed (Debian package llvm-{options.llvm})')
            sys.exit(77)
    proven = set()
    sys.exit(1 if sum(check(cpu, options.llvm, proven) for cpu in options.cpu or DEFAULT_CPUS) else 0)


if __name__ == '__main__':
    main()
