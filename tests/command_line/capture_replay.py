#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A capture of a compute program by GFXReconstruct replays with the same results.

The program computes, then checks its results against literals on the device: an invocation that finds another value never ends, which the driver reports. So a
replay tells by itself whether it computed the same; a capture of a program with wrong literals proves that it would.
usage: capture_replay.py BUILD      skips where gfxrecon-replay is not installed (Debian package gfxreconstruct)
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

COUNT = 256
COMPUTE = '''#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint results[]; };
layout(push_constant) uniform Push { uint rounds; };
void main() {
  uint x = values[gl_GlobalInvocationID.x];
  for (uint i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
  results[gl_GlobalInvocationID.x] = x;
}
'''
CHECK = '''#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 1, std430) coherent volatile buffer Out { uint results[]; };
layout(set = 0, binding = 2, std430) readonly buffer Expected { uint expected[]; };
void main() {
  while (results[gl_GlobalInvocationID.x] != expected[gl_GlobalInvocationID.x]) {}
}
'''
ROUNDS = 5


def result_of(value):
    for _ in range(ROUNDS):
        value = (value * 1664525 + 1013904223) % 2**32
    return value


def write_program(folder, name, wrong):
    values = [i * 2654435761 % 2**32 for i in range(COUNT)]
    expected = [result_of(value) for value in values]
    expected[77] ^= wrong
    (folder / 'compute.comp').write_text(COMPUTE)
    (folder / 'check.comp').write_text(CHECK)
    manifest = {
        'dispatches': [{'shader': 'compute.comp', 'groups': [COUNT // 64, 1, 1], 'push': [ROUNDS]},
                       {'shader': 'check.comp', 'groups': [COUNT // 64, 1, 1], 'push': [ROUNDS]}],
        'buffers': [{'binding': 0, 'init': {'u32': values}}, {'binding': 1, 'init': {'zeros': 4 * COUNT}, 'check': {'type': 'u32'}},
                    {'binding': 2, 'init': {'u32': expected}}]}
    path = folder / f'{name}.json'
    path.write_text(json.dumps(manifest))
    return path


def driver_lines(done):
    return [line for line in (done.stdout + done.stderr).splitlines() if line.startswith('spalt: ')]


class Machine:
    def __init__(self, build, folder):
        self.vkrun = build / 'tools/vkrun/spalt-vkrun'
        self.folder = folder
        self.environment = dict(os.environ, VK_DRIVER_FILES=str(build / 'src/icd/spalt_icd.json'), SPALT_ICD_LOG='1', SPALT_ICD_STEPS='100000')
        self.environment.pop('VK_ICD_FILENAMES', None)

    def run(self, *command, **variables):
        return subprocess.run([str(word) for word in command], env=dict(self.environment, **variables), capture_output=True, text=True, timeout=300)

    def capture(self, manifest):
        """What the program said, and its capture."""
        done = self.run(self.vkrun, manifest, VK_INSTANCE_LAYERS='VK_LAYER_LUNARG_gfxreconstruct',
                        GFXRECON_CAPTURE_FILE=str(manifest.with_suffix('.gfxr')), GFXRECON_CAPTURE_FILE_TIMESTAMP='false')
        return done, manifest.with_suffix('.gfxr')


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if shutil.which('gfxrecon-replay') is None:
        print('gfxrecon-replay is not installed')
        return 77
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        machine = Machine(build, folder)
        done, capture = machine.capture(write_program(folder, 'right', 0))
        if done.returncode != 0 or driver_lines(done) or not capture.exists():
            failures.append(f'the program fails under the capture layer: {done.stdout}{done.stderr}')
        for options in [[], ['-m', 'rebind']]:
            replay = machine.run('gfxrecon-replay', *options, capture)
            if replay.returncode != 0 or driver_lines(replay):
                failures.append(f'replay {options} differs: {replay.stdout}{replay.stderr}')
        done, capture = machine.capture(write_program(folder, 'wrong', 1))
        if not driver_lines(done):
            failures.append('a wrong literal is not noticed')
        if not driver_lines(machine.run('gfxrecon-replay', capture)):
            failures.append('a wrong literal is not noticed in the replay')
    for failure in failures:
        print(f'FAIL {failure}')
    print(f'{5 - len(failures)} passed, {len(failures)} failed')
    return 1 if failures else 0


sys.exit(main())
