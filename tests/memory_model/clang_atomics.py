#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles every memory operation that SPIR-V and OpenCL C share with clang and with Spalt, and compares how they order memory.

Usage: clang_atomics.py BUILD [--target gfx1030,...] [--mode cu,wgp] [--level 1,2] [--filter TEXT] [--show]

BUILD is the build folder. Exit status: 0 equal but for expected differences, 1 different, 77 clang is not installed.
"""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is written beside the sources

import expected_differences  # noqa: E402
from operations import all_operations, opencl_source, spirv_source  # noqa: E402
from skeleton import Malformed, skeleton  # noqa: E402

CLANG = 'clang-19'
TARGETS = ('gfx900', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1150', 'gfx1200')


def modes(target):
    return ('cu',) if target.startswith('gfx9') else ('cu', 'wgp')


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f'{" ".join(map(str, command))}\n{result.stderr}')
    return result.stdout


class Clang:
    """LLVM's side. Its scopes end in "one-as" where OpenCL wants only the operation's own address space ordered; the others are made by
    taking that away."""

    def __init__(self, folder, operations):
        self.folder = folder
        self.source = folder / 'operations.cl'
        self.source.write_text(opencl_source(operations))
        self.both = {op.name for op in operations if op.orders == 'both'}

    def assembly(self, target, mode, level):
        """{kernel: text}"""
        options = ['-target', 'amdgcn-amd-amdhsa', f'-mcpu={target}', '-nogpulib', f'-O{level}', '-S']
        if not target.startswith('gfx9'):
            options.append('-mcumode' if mode == 'cu' else '-mno-cumode')
        ir = run(CLANG, '-x', 'cl', '-cl-std=CL2.0', '-Wno-everything', *options, '-emit-llvm', '-Xclang', '-disable-llvm-passes', self.source,
                 '-o', '-')
        changed = self.folder / 'operations.ll'
        changed.write_text(self.order_both(ir))
        text = run(CLANG, '-x', 'ir', '-Wno-everything', *options, changed, '-o', '-')
        return {name: body for name, body in re.findall(r'^(\w+): +; @\1\n(.*?)s_endpgm', text, re.M | re.S)}

    def order_both(self, ir):
        lines, name = [], ''
        for line in ir.splitlines(keepends=True):
            if line.startswith('define '):
                name = re.search(r'@(\w+)\(', line)[1]
            if name in self.both:
                line = line.replace('syncscope("one-as") ', '').replace('-one-as")', '")')
            lines.append(line)
        return ''.join(lines)


class Spalt:
    def __init__(self, folder, operations, build):
        self.program = build / 'tests/memory_model/compile_entry_points'
        self.module, self.names = folder / 'operations.spv', folder / 'names'
        source = folder / 'operations.spvasm'
        source.write_text(spirv_source(operations))
        run('spirv-as', '--target-env', 'vulkan1.1', source, '-o', self.module)
        self.names.write_text(''.join(f'{op.name}\n' for op in operations))

    def assembly(self, target, mode):
        text = run(self.program, self.module, self.names, target, mode)
        return {name: body for name, body in re.findall(r'^;; (\w+)\n(.*?)s_endpgm', text, re.M | re.S)}


def listing(text, operation):
    try:
        return skeleton(text, operation)
    except Malformed as problem:
        return (f'malformed: {problem}',)


class Comparison:
    """Counts what agrees, and prints the rest."""

    def __init__(self, show):
        self.show = show
        self.passed = self.failed = 0
        self.used = collections.Counter()  # (name, target and mode, level)

    def fail(self, message):
        self.failed += 1
        print(f'FAIL {message}')

    def one(self, target, mode, level, operation, theirs, ours):
        label = f'{target} {mode} -O{level}'
        theirs, ours = listing(theirs, operation), listing(ours, operation)
        if self.show:
            print(f'{label} {operation.name}\n    clang: {"; ".join(theirs)}\n    spalt: {"; ".join(ours)}')
        if any(step.startswith('malformed') for step in theirs + ours):
            return self.fail(f'{label} {operation.name}\n    clang: {"; ".join(theirs)}\n    spalt: {"; ".join(ours)}')
        names, wanted = expected_differences.apply(target, mode, operation, theirs)
        for name in names:
            self.used[name, f'{target} {mode}', level] += 1
        if ours == wanted:
            self.passed += 1
            return None
        also = f' with {", ".join(names)}: {"; ".join(wanted)}' if names else ''
        return self.fail(f'{label} {operation.name}\n    clang: {"; ".join(theirs)}{also}\n    spalt: {"; ".join(ours)}')

    def check_counts(self):
        """The expected differences occur where they did when they were explained, and nowhere else."""
        for configuration in sorted({(place, level) for _, place, level in self.used}):
            for name in expected_differences.DIFFERENCES:
                count, expected = self.used[name, *configuration], expected_differences.COUNTS.get(name, {}).get(configuration[0], 0)
                if count == expected:
                    self.passed += 1
                else:
                    self.fail(f'{configuration[0]} -O{configuration[1]}: {name} occurs {count} times, expected {expected}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--target', default=','.join(TARGETS), help='processors, with commas')
    parser.add_argument('--mode', default='cu,wgp', help='cu, wgp or both')
    parser.add_argument('--level', default='2', help="clang's optimization levels, with commas")
    parser.add_argument('--filter', default='', help='only operations whose name contains the text')
    parser.add_argument('--show', action='store_true', help='print every pair')
    options = parser.parse_args()
    if not shutil.which(CLANG):
        print(f'{CLANG} is not installed')
        return 77
    operations = [op for op in all_operations() if options.filter in op.name]
    comparison = Comparison(options.show)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        clang, spalt = Clang(folder, operations), Spalt(folder, operations, options.build.resolve())
        for target in options.target.split(','):
            for mode in [mode for mode in modes(target) if mode in options.mode.split(',')]:
                ours = spalt.assembly(target, mode)
                for level in options.level.split(','):
                    theirs = clang.assembly(target, mode, level)
                    for op in operations:
                        comparison.one(target, mode, level, op, theirs.get(op.name, ''), ours.get(op.name, ''))
    if not options.filter:
        comparison.check_counts()
    print(f'{comparison.passed} passed, {comparison.failed} failed')
    return 1 if comparison.failed or not comparison.passed else 0


sys.exit(main())
