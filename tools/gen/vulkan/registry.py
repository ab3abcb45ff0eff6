# SPDX-License-Identifier: MIT
"""Reads what the driver needs of the Vulkan registry (vk.xml): commands, extensions and structs, with aliases folded.

All generations of the file are understood: the one of 1.3.239, later ones, which name the API in `api` attributes, and
those that list a version in several parts.
"""
import dataclasses
import re
import xml.etree.ElementTree as ElementTree

CORE_VERSIONS = ('1.0', '1.1', '1.2', '1.3')
DISPATCHABLE = {'VkInstance': 'instance', 'VkPhysicalDevice': 'physical_device', 'VkDevice': 'device', 'VkQueue': 'device',
                'VkCommandBuffer': 'device'}


@dataclasses.dataclass
class Command:
    name: str
    result: str = ''
    parameters: list = dataclasses.field(default_factory=list)  # text of each, as in C
    first_type: str = ''
    target: str = ''  # the command that this name is an alias of

    @property
    def level(self):
        if self.name == 'vkGetInstanceProcAddr':
            return 'global'
        return DISPATCHABLE.get(self.first_type, 'global')


@dataclasses.dataclass
class Extension:
    name: str
    kind: str  # instance, device
    spec_version: int = 1
    platform: str = ''  # xcb, wayland, ...: built only with that window system
    commands: list = dataclasses.field(default_factory=list)  # (name, extension that must be there too, or '')
    types: set = dataclasses.field(default_factory=set)


@dataclasses.dataclass
class Struct:
    name: str
    s_type: str = ''
    members: list = dataclasses.field(default_factory=list)  # (type, name), without sType and pNext
    extends: set = dataclasses.field(default_factory=set)


def is_vulkan(element, attribute='api'):
    return 'vulkan' in element.get(attribute, 'vulkan').split(',')


def text_of(element):
    """The C text of a declaration; comments go."""
    return re.sub(r'\s+', ' ', ''.join(part for child in walk_text(element) for part in child)).strip()


def walk_text(element):
    if element.text:
        yield element.text
    for child in element:
        if child.tag != 'comment':
            yield from walk_text(child)
        if child.tail:
            yield child.tail


class Registry:
    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.commands = {}
        self.structs = {}
        self.struct_aliases = {}
        self.core = {}  # version -> (commands, types)
        self.extensions = {}
        for element in root.findall('commands/command'):
            if is_vulkan(element):
                self._read_command(element)
        for element in root.findall('types/type'):
            if element.get('category') == 'struct' and is_vulkan(element):
                self._read_struct(element)
        for element in root.findall('feature'):
            if is_vulkan(element) and element.get('number') in CORE_VERSIONS:
                commands, types = self.core.setdefault(element.get('number'), ([], set()))
                commands += [c.get('name') for c in element.findall('require/command')]
                types |= {t.get('name') for t in element.findall('require/type')}
        for element in root.findall('extensions/extension'):
            if is_vulkan(element, 'supported'):
                self._read_extension(element)

    def _read_command(self, element):
        if element.get('alias'):
            self.commands[element.get('name')] = Command(element.get('name'), target=element.get('alias'))
            return
        name = element.find('proto/name').text
        parameters = [p for p in element.findall('param') if is_vulkan(p)]
        self.commands[name] = Command(name, element.find('proto/type').text, [text_of(p) for p in parameters],
                                      parameters[0].find('type').text)

    def _read_struct(self, element):
        name = element.get('name')
        if element.get('alias'):
            self.struct_aliases[name] = element.get('alias')
            return
        struct = Struct(name, extends=set((element.get('structextends') or '').split(',')))
        for member in element.findall('member'):
            if not is_vulkan(member):
                continue
            member_name = member.find('name').text
            if member_name == 'sType':
                struct.s_type = member.get('values', '')
            elif member_name != 'pNext':
                struct.members.append((member.find('type').text, member_name))
        self.structs[name] = struct

    def _read_extension(self, element):
        extension = Extension(element.get('name'), element.get('type'), platform=element.get('platform', ''))
        for require in element.findall('require'):
            if not is_vulkan(require):
                continue
            other = require.get('extension') or require.get('depends') or ''
            for enum in require.findall('enum'):
                if (enum.get('name') or '').endswith('_SPEC_VERSION') and (enum.get('value') or '').isdigit():
                    extension.spec_version = int(enum.get('value'))
            extension.commands += [(c.get('name'), other) for c in require.findall('command')]
            extension.types |= {t.get('name') for t in require.findall('type')}
        self.extensions[extension.name] = extension

    def resolve(self, name):
        """The command that `name` stands for."""
        command = self.commands[name]
        return self.resolve(command.target) if command.target else command

    def resolve_struct(self, name):
        return self.structs[self.struct_aliases.get(name, name)]


class Selection:
    """The core versions and the extensions that the driver implements, and what they bring."""

    def __init__(self, registry, extension_names):
        self.registry = registry
        unknown = sorted(set(extension_names) - set(registry.extensions))
        if unknown:
            raise SystemExit(f'the registry does not have {", ".join(unknown)}')
        self.extensions = [registry.extensions[name] for name in sorted(extension_names)]
        self._names = set(extension_names)
        self.revealed = {}  # command name -> (core version or '', extension names)
        for version, (names, _) in sorted(registry.core.items()):
            for name in names:
                self.revealed.setdefault(name, (version, []))
        for extension in self.extensions:
            for name, other in extension.commands:
                if other.startswith('VK_') and '_VERSION_' not in other and not self._has(other):
                    continue
                names = self.revealed.setdefault(name, ('', []))[1]
                if extension.name not in names:
                    names.append(extension.name)

    def platform_of(self, command):
        """The window system without which there is no such command, or ''."""
        version, names = self.revealed[command]
        platforms = {self.registry.extensions[name].platform for name in names}
        return platforms.pop() if not version and len(platforms) == 1 else ''

    def _has(self, depends):
        return any(name in self._names for name in re.split(r'[,+()]', depends))

    def structs_extending(self, base):
        """Structs of the core versions and chosen extensions that may be chained to `base`, by name."""
        types = set().union(*(types for _, types in self.registry.core.values()),
                            *(extension.types for extension in self.extensions))
        found = {}
        for name in types:
            if name in self.registry.structs or name in self.registry.struct_aliases:
                struct = self.registry.resolve_struct(name)
                if base in struct.extends:
                    found[struct.name] = struct
        return [found[name] for name in sorted(found)]


def read_list(path):
    """Names of a text file, one a line; # begins a comment."""
    with open(path, encoding='utf-8') as file:
        return [line.split('#')[0].strip() for line in file if line.split('#')[0].strip()]
