#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what the Vulkan driver (src/icd) takes from the Vulkan registry, or checks its list of commands.

usage: gen_vulkan.py REGISTRY EXTENSIONS OUTPUT_FOLDER COMMANDS...   writes the generated files
       gen_vulkan.py --check REGISTRY EXTENSIONS COMMANDS...         fails when a command of Vulkan 1.3 or of one of the
                                                                     extensions is in no list, or a list has others

REGISTRY is vk.xml, EXTENSIONS a text file with the names of the implemented extensions, COMMANDS text files with the
names of the implemented commands (aliases are not listed), one in each folder that implements some.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
from vulkan import emit, registry  # noqa: E402


def read_selection(registry_path, extensions_path):
    return registry.Selection(registry.Registry(registry_path), registry.read_list(extensions_path))


def read_commands(paths):
    names = [name for path in paths for name in registry.read_list(path)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SystemExit(f'listed twice: {", ".join(twice)}')
    return set(names)


def check(registry_path, extensions_path, *lists):
    selection = read_selection(registry_path, extensions_path)
    implemented = read_commands(lists)
    wanted = {selection.registry.resolve(name).name for name in selection.revealed}
    for name in sorted(wanted - implemented):
        print(f'{name}: a command of Vulkan 1.3 or of an extension in {extensions_path}, but no folder implements it')
    for name in sorted(implemented - wanted):
        print(f'{name}: listed, but it is no command of Vulkan 1.3 or of an extension in {extensions_path}, or an alias')
    if wanted != implemented:
        return 1
    print(f'vulkan_commands: {len(wanted)} commands, all implemented')
    return 0


def write(registry_path, extensions_path, output, *lists):
    selection = read_selection(registry_path, extensions_path)
    texts = {
        'commands.h': emit.commands_header(selection),
        'command_table.inc': emit.command_rows(selection, read_commands(lists)),
        'extensions.inc': emit.extension_rows(selection),
        'features.inc': emit.feature_rows(selection),
        'feature_structs.inc': emit.feature_struct_rows(selection),
        'property_set.inc': emit.property_struct(selection),
        'property_structs.inc': emit.property_rows(selection),
    }
    for name, text in texts.items():
        (pathlib.Path(output) / name).write_text(text, encoding='utf-8')
    return 0


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    if sys.argv[1] == '--check':
        return check(*sys.argv[2:])
    return write(*sys.argv[1:])


sys.exit(main())
