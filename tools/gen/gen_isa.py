#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes opcodes.inc (the enum) and opcode_tables.inc (facts, numbers, decode tables) from the tables in isa/.

Usage: gen_isa.py OPCODES_INC OPCODE_TABLES_INC
"""
import importlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
from isa import table  # noqa: E402

FAMILIES = ('sop', 'smem', 'vop', 'vopc', 'vop3', 'ds', 'vmem', 'image', 'export')
INVALID = '0xffff'


def load_rows():
    if table.rows:
        return table.rows
    for family in FAMILIES:
        importlib.import_module(f'isa.{family}')
    names = [row.name for row in table.rows]
    duplicates = sorted({n for n in names if names.count(n) > 1})
    assert not duplicates, f'duplicate rows: {duplicates}'
    missing = sorted(set(table.number_rows) - set(names))
    assert not missing, f'numbers without a row: {missing}'
    for row in table.rows:
        for facts in row.facts.values():
            assert len(facts.dst) <= 2 and len(facts.src) <= 5, f'{row.name}: too many slots'
    return table.rows


def enum_lines(rows):
    return [f'SPALT_OPCODE({row.name})' for row in rows]


def slots(pairs, count):
    padded = pairs + [('none', 'none')] * (count - len(pairs))
    return ', '.join(f'{{OperandRole::{role}, OperandType::{type_}}}' for role, type_ in padded)


def fact_line(row, name, facts):
    flags = ' | '.join(facts.flags) or '0'
    args = ' | '.join(facts.args) or '0'
    return (f'  {{"{name}", {{{slots(facts.dst, 2)}}}, {{{slots(facts.src, 5)}}}, {len(facts.dst)}, {len(facts.src)}, '
            f'{flags}, {args}, {facts.modifiers}, Feature::{facts.needs}, {row.tied_source}, Opcode::{row.short_form}}},')


def fact_lines(rows):
    """The facts of every opcode under its own name, then those that a generation sees otherwise; kInfoIndex says where."""
    lines = [fact_line(row, row.name, row.facts[row.default]) for row in rows]
    index = []
    for generation in table.GENERATIONS:
        places = []
        for i, row in enumerate(rows):
            line = fact_line(row, row.names[generation], row.facts[generation]) if row.numbers[generation] else lines[i]
            if line != lines[i]:
                known = next((p for p in reversed(range(len(rows), len(lines))) if lines[p] == line), None)
                if known is None:
                    known = len(lines)
                    lines.append(line)
                places.append(known)
            else:
                places.append(i)
        index.append(places)
    yield 'constexpr OpcodeInfo kOpcodeInfo[] = {'
    yield from lines
    yield '};'
    yield f'constexpr uint16_t kInfoIndex[kGenerationCount][{len(rows)}] = {{'
    for places in index:
        yield '  {' + ', '.join(map(str, places)) + '},'
    yield '};'


def encoding_rank(format_):
    return -1 if format_ == 'vintrp' else table.FORMATS.index(format_)


def number_lines(rows):
    """All numbers of one opcode in one generation are neighbours, in the order in which the encoder tries them: the order
    of FORMATS, which has short encodings first, but VINTRP before its VOP3 form. kNumberStart finds them."""
    numbers = []
    starts = []
    for generation in table.GENERATIONS:
        for row in rows:
            starts.append(len(numbers))
            numbers += sorted(row.numbers[generation].items(), key=lambda item: encoding_rank(item[0]))
        starts.append(len(numbers))
    yield 'constexpr NumberEntry kNumbers[] = {'
    for format_, number in numbers:
        yield f'  {{Format::{format_}, {number}}},'
    yield '};'
    yield f'constexpr uint16_t kNumberStart[kGenerationCount][{len(rows) + 1}] = {{'
    for i in range(len(table.GENERATIONS)):
        part = starts[i * (len(rows) + 1):(i + 1) * (len(rows) + 1)]
        yield '  {' + ', '.join(map(str, part)) + '},'
    yield '};'


def decode_lines(rows):
    """Number to opcode per generation and format, then the index of those arrays. Where processors of one generation use a number
    for different opcodes, the later row is an alternate."""
    index = []
    alternates = []
    for generation in table.GENERATIONS:
        for format_ in table.FORMATS:
            if format_ not in table.FORMAT_SIZE:
                continue
            entries = [INVALID] * table.FORMAT_SIZE[format_]
            for i, row in enumerate(rows):
                number = row.numbers[generation].get(format_)
                if number is None:
                    continue
                if entries[number] != INVALID:
                    first = rows[int(entries[number])].facts[generation].needs
                    assert 'none' not in (first, row.facts[generation].needs), \
                        f'{generation} {format_} {number} is used twice: {row.name}'
                    alternates.append((generation, format_, number, i))
                    continue
                entries[number] = str(i)
            if any(e != INVALID for e in entries):
                name = f'kDecode_{generation}_{format_}'
                yield f'constexpr uint16_t {name}[{len(entries)}] = {{' + ', '.join(entries) + '};'
                index.append((generation, format_, name))
    yield 'constexpr DecodeTable kDecodeTables[] = {'
    for generation, format_, name in index:
        yield f'  {{Generation::{generation}, Format::{format_}, {name}}},'
    yield '};'
    yield 'constexpr Alternate kAlternates[] = {'
    for generation, format_, number, i in alternates:
        yield f'  {{Generation::{generation}, Format::{format_}, {number}, Opcode::{rows[i].name}}},'
    yield '};'


def sorted_lines(rows):
    order = sorted(range(len(rows)), key=lambda i: rows[i].name)
    yield f'constexpr uint16_t kByName[{len(rows)}] = {{' + ', '.join(map(str, order)) + '};'
    starts = [0]
    merged = []
    for generation in table.GENERATIONS:
        present = [i for i, row in enumerate(rows) if row.numbers[generation]]
        names = [rows[i].names[generation] for i in present]
        assert len(names) == len(set(names)), f'{generation} has a mnemonic twice: {[n for n in names if names.count(n) > 1]}'
        merged += sorted(present, key=lambda i: rows[i].names[generation])
        starts.append(len(merged))
    yield f'constexpr uint16_t kByMnemonic[{len(merged)}] = {{' + ', '.join(map(str, merged)) + '};'
    yield f'constexpr uint16_t kByMnemonicStart[kGenerationCount + 1] = {{' + ', '.join(map(str, starts)) + '};'


def main():
    rows = load_rows()
    header = '// Generated by tools/gen/gen_isa.py. Do not edit.'
    enum = [header, *enum_lines(rows)]
    tables = [header, *fact_lines(rows), *number_lines(rows), *decode_lines(rows), *sorted_lines(rows)]
    for path, lines in zip(sys.argv[1:3], (enum, tables)):
        pathlib.Path(path).write_text('\n'.join(lines) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
