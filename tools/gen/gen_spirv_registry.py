#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the names that the SPIR-V registry knows, for `spalt capabilities`: tools/spalt/spirv_registry.def.

usage: gen_spirv_registry.py HEADERS REGISTRY > tools/spalt/spirv_registry.def

HEADERS is a checkout of SPIRV-Headers, whose grammar numbers the capabilities, REGISTRY one of SPIRV-Registry, which
has a document for each extension. The list is committed, since the headers that Spalt is built with may be older.
"""
import json
import pathlib
import re
import sys


def extensions_in(grammar):
    """All that the grammar says some name comes from, at any depth."""
    found, rest = set(), [grammar]
    while rest:
        item = rest.pop()
        if isinstance(item, dict):
            found.update(item.get('extensions', []))
            rest.extend(value for key, value in item.items() if key != 'extensions')
        elif isinstance(item, list):
            rest.extend(item)
    return found


def capabilities_in(grammar):
    kinds = [kind for kind in grammar['operand_kinds'] if kind['kind'] == 'Capability']
    return sorted((entry['value'], entry['enumerant'], ' '.join(entry.get('extensions', [])))
                  for entry in kinds[0]['enumerants'])


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    headers, registry = map(pathlib.Path, sys.argv[1:])
    grammar = json.loads((headers / 'include/spirv/unified1/spirv.core.grammar.json').read_text())
    names = extensions_in(grammar) | {path.stem for path in registry.glob('extensions/*/*.asciidoc')}
    print('// SPDX-License-Identifier: MIT')
    print('// Capabilities that the SPIR-V registry knows, with their numbers and the extensions that bring them, and extensions:')
    print('// made by tools/gen/gen_spirv_registry.py from SPIRV-Headers and SPIRV-Registry of August 2026.')
    for value, name, extensions in capabilities_in(grammar):
        print(f'SPALT_REGISTRY_CAPABILITY({name}, {value}, "{extensions}")')
    for name in sorted(name for name in names if re.fullmatch(r'SPV_\w+', name)):
        print(f'SPALT_REGISTRY_EXTENSION({name})')


main()
