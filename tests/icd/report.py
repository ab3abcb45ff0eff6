#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what the driver reports, as vulkaninfo prints it through the loader, against the registry and the profile of
the Vulkan SDK.

usage: report.py MANIFEST REGISTRY_FOLDER

- All that the profile VP_KHR_roadmap_2022 names as requirements of Vulkan 1.0 up to the reported version is there;
  numbers compare as the registry's limittype says.
- A feature or property that several structs tell is the same in all of them.
- Neither vulkaninfo nor the validation layer, where it is installed, prints a warning.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

TARGETS = ('gfx900', 'gfx1030', 'gfx1201')
LAYER = 'VK_LAYER_KHRONOS_validation'
# The same property under two names.
RENAMED = {'subgroupSupportedStages': 'supportedStages', 'subgroupSupportedOperations': 'supportedOperations',
           'subgroupQuadOperationsInAllStages': 'quadOperationsInAllStages'}
# Words of vulkaninfo and of layers; the loader prints "Validation Layer" as a description.
COMPLAINT = re.compile(r'^(WARNING|ERROR|UNASSIGNED|VUID|Validation (Error|Warning))|\[ *(VUID|UNASSIGNED)', re.M)
# The loader tells that the environment names a layer.
EXPECTED = re.compile(r'VK_INSTANCE_LAYERS')


def run_vulkaninfo(manifest, target, arguments, folder, layer=False):
    environment = {**os.environ, 'VK_DRIVER_FILES': manifest, 'VK_ICD_FILENAMES': manifest, 'SPALT_ICD_TARGET': target}
    if layer:
        environment['VK_INSTANCE_LAYERS'] = LAYER
    result = subprocess.run(['vulkaninfo', *arguments], cwd=folder, env=environment, capture_output=True, text=True,
                            timeout=120, check=True)
    return result.stdout + result.stderr


def read_device(manifest, target):
    with tempfile.TemporaryDirectory() as folder:
        run_vulkaninfo(manifest, target, ['-j'], folder)
        (path,) = pathlib.Path(folder).glob('*.json')
        return json.loads(path.read_text(encoding='utf-8'))['capabilities']['device']


def limit_types(registry):
    """(struct, member) -> limittype."""
    root = ElementTree.parse(registry).getroot()
    return {(struct.get('name'), member.find('name').text): member.get('limittype')
            for struct in root.findall('types/type') if struct.get('category') == 'struct' and not struct.get('alias')
            for member in struct.findall('member') if member.get('limittype')}


def satisfies(kind, required, reported):
    """Whether a reported property is as good as the required one."""
    if isinstance(required, list) and kind != 'bitmask':
        if kind == 'range':
            return reported[0] <= required[0] and reported[1] >= required[1]
        return all(satisfies(kind, a, b) for a, b in zip(required, reported))
    if kind == 'bitmask':
        if isinstance(required, bool):
            return reported or not required
        return set(required) <= set(reported)
    if kind in ('max', 'bits', 'max,pot'):
        return reported >= required
    if kind and kind.startswith('min'):
        return reported <= required
    return reported == required


def missing_properties(name, required, reported, kinds):
    for member, value in required.items():
        if isinstance(value, dict):
            inner = 'VkPhysicalDeviceLimits' if member == 'limits' else member
            yield from missing_properties(inner, value, reported.get(member, {}), kinds)
        elif member not in reported:
            yield f'{name}::{member} is not reported'
        elif not satisfies(kinds.get((name, member)), value, reported[member]):
            yield f'{name}::{member} is {reported[member]}, {value} is required'


def missing(requirements, device, kinds):
    for name, members in requirements.get('features', {}).items():
        reported = device['features'].get(name, {})
        for member, value in members.items():
            if value and not reported.get(member):
                yield f'{name}::{member} is not there'
    for name, members in requirements.get('properties', {}).items():
        yield from missing_properties(name, members, device['properties'].get(name, {}), kinds)


def check_profile(device, profile, kinds):
    """Returns what is missing, and how many requirements there were."""
    version = int(device['properties']['VkPhysicalDeviceProperties']['apiVersion'])
    problems, count = [], 0
    for minor in range(((version >> 12) & 0x3ff) + 1):
        requirements = profile['capabilities'][f'vulkan1{minor}requirements']
        count += sum(len(members) for kind in ('features', 'properties') for members in requirements.get(kind, {}).values())
        problems += missing(requirements, device, kinds)
    return problems, count


def members_of(structs):
    for name, members in structs.items():
        for member, value in members.items():
            if not isinstance(value, dict):
                yield RENAMED.get(member, member), name, value


def check_copies(structs):
    """Returns which copies differ, and how many members have several."""
    first, problems, copies = {}, [], 0
    for member, name, value in members_of(structs):
        if member not in first:
            first[member] = (name, value)
            continue
        copies += 1
        if value != first[member][1]:
            problems.append(f'{member} is {first[member][1]} in {first[member][0]} and {value} in {name}')
    return problems, copies


def has_layer(manifest):
    with tempfile.TemporaryDirectory() as folder:
        return LAYER in run_vulkaninfo(manifest, TARGETS[0], ['--summary'], folder)


def check_complaints(manifest, target, layer):
    with tempfile.TemporaryDirectory() as folder:
        output = run_vulkaninfo(manifest, target, [], folder, layer)
    return [line for line in output.splitlines() if COMPLAINT.search(line) and not EXPECTED.search(line)]


def main():
    manifest, registry_folder = sys.argv[1], pathlib.Path(sys.argv[2])
    kinds = limit_types(registry_folder / 'vk.xml')
    profile = json.loads((registry_folder / 'profiles/VP_KHR_roadmap_2022.json').read_text(encoding='utf-8'))
    layer = has_layer(manifest)
    failed = False
    for target in TARGETS:
        device = read_device(manifest, target)
        problems, requirements = check_profile(device, profile, kinds)
        counts = [requirements]
        for kind in ('features', 'properties'):
            differing, copies = check_copies(device[kind])
            problems += differing
            counts.append(copies)
        if min(counts) == 0:
            problems.append(f'nothing was compared: {counts}')
        problems += check_complaints(manifest, target, layer)
        print(f'{target}: {requirements} requirements, {counts[1]} copies of features, {counts[2]} of properties, '
              f'{"with" if layer else "without"} the validation layer: {len(problems)} problems')
        print(''.join(f'  {problem}\n' for problem in problems), end='')
        failed |= bool(problems)
    return 1 if failed else 0


sys.exit(main())
