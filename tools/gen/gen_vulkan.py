#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what the Vulkan driver (src/icd) takes from the Vulkan registry, or checks its list of commands.

usage: gen_vulkan.py REGISTRY RECENT EXTENSIONS OUTPUT_FOLDER COMMANDS...   writes the generated files
       gen_vulkan.py --check REGISTRY RECENT EXTENSIONS COMMANDS...         fails when a command of Vulkan 1.3 or of one of
                                                                            the extensions is in no list, or a list has others
       gen_vulkan.py --recent RECENT OUTPUT                                 writes the header for what headers may lack

REGISTRY is vk.xml, RECENT the table of extensions that it may not know, EXTENSIONS a text file with the names of the
implemented extensions, COMMANDS text files with the names of the implemented commands, one in each folder that implements
some. Of the names of one command, only the one by which 1.3.239 defines it is listed; the function has that name.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
from vulkan import emit, recent, registry  # noqa: E402


def read_selection(registry_path, recent_path, extensions_path):
    known = registry.Registry(registry_path)
    recent.add_to(known, recent.read(recent_path))
    return registry.Selection(known, registry.read_list(extensions_path))


def read_commands(known, paths):
    """What is listed: the name that the registry resolves a command to -> the listed one."""
    names = [name for path in paths for name in registry.read_list(path)]
    unknown = sorted(set(names) - set(known.commands))
    if unknown:
        raise SystemExit(f'the registry does not have {", ".join(unknown)}')
    resolved = [known.resolve(name).name for name in names]
    twice = sorted(name for name, target in zip(names, resolved) if resolved.count(target) > 1)
    if twice:
        raise SystemExit(f'listed twice: {", ".join(twice)}')
    return dict(zip(resolved, names))


def check(registry_path, recent_path, extensions_path, *lists):
    selection = read_selection(registry_path, recent_path, extensions_path)
    listed = read_commands(selection.registry, lists)
    implemented = set(listed)
    wanted = {selection.registry.resolve(name).name for name in selection.revealed}
    for name in sorted(wanted - implemented):
        print(f'{name}: a command of Vulkan 1.3 or of an extension in {extensions_path}, but no folder implements it')
    for name in sorted(implemented - wanted):
        print(f'{listed[name]}: listed, but it is no command of Vulkan 1.3 or of an extension in {extensions_path}')
    if wanted != implemented:
        return 1
    print(f'vulkan_commands: {len(wanted)} commands, all implemented')
    return 0


def write(registry_path, recent_path, extensions_path, output, *lists):
    selection = read_selection(registry_path, recent_path, extensions_path)
    implemented = read_commands(selection.registry, lists)
    texts = {
        'commands.h': emit.commands_header(selection, implemented),
        'command_table.inc': emit.command_rows(selection, implemented),
        'extensions.inc': emit.extension_rows(selection),
        'features.inc': emit.feature_rows(selection),
        'feature_structs.inc': emit.feature_struct_rows(selection),
        'property_set.inc': emit.property_struct(selection),
        'property_structs.inc': emit.property_rows(selection),
    }
    for name, text in texts.items():
        (pathlib.Path(output) / name).write_text(text, encoding='utf-8')
    return 0


def write_recent(recent_path, output):
    pathlib.Path(output).write_text(recent.header(recent.read(recent_path)), encoding='utf-8')
    return 0


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    if sys.argv[1] == '--check':
        return check(*sys.argv[2:])
    if sys.argv[1] == '--recent':
        return write_recent(*sys.argv[2:])
    return write(*sys.argv[1:])


sys.exit(main())
