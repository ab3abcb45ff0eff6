#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shader files as the command line reads them: includes, macros, stages, error lines, validation and optimization.

usage: tests/command_line/shader_input.py SPALT

The command runs without a PATH, so that it cannot start a program. The last line is "N passed, N failed".
"""
import pathlib
import subprocess
import sys
import tempfile

SPALT = pathlib.Path(sys.argv[1]).resolve()
STORE = '''#version 450
%s
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
void main() { data[gl_LocalInvocationIndex] = %s; }
'''
MODULE = '''               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %%main "main"
               OpExecutionMode %%main LocalSize 1 1 1
       %%void = OpTypeVoid
       %%type = OpTypeFunction %%void
       %%main = OpFunction %%void None %%type
      %%label = OpLabel
               %s
               OpFunctionEnd
'''
# Names with colons, spaces and digits look like the places of messages.
FILES = {
    'plain.comp': STORE % ('', '2.5'),
    'plain.comp.glsl': STORE % ('', '2.5'),
    'plain.txt': STORE % ('', '2.5'),
    'local.comp': STORE % ('#include "sub/half.glsl"', 'half_of(5.0)'),
    'system.comp': STORE % ('#include <third.glsl>', 'third_of(7.5)'),
    'macro.comp': STORE % ('', 'VALUE'),
    'missing.comp': STORE % ('#include "none.glsl"', '1.0'),
    'wrong.comp': STORE % ('', '1.0 +* 2.0'),
    'undeclared.comp': STORE % ('#include "sub/wrong.glsl"', 'wrong()'),
    'endless.comp': STORE % ('#include "endless.glsl"', '1.0'),
    'no_main.comp': '#version 450\nvoid other() {}\n',
    'a 3: b.comp': STORE % ('', 'nowhere'),
    'endless.glsl': '#include "endless.glsl"\n',
    'sub/half.glsl': '#include "factor.glsl"\nfloat half_of(float x) { return x * factor; }\n',
    'sub/factor.glsl': 'const float factor = 0.5;\n',
    'sub/wrong.glsl': '// a comment\nfloat wrong() { return missing; }\n',
    'include/third.glsl': 'float third_of(float x) { return x / 3.0; }\n',
    'good.spvasm': MODULE % 'OpReturn',
    'bad.spvasm': MODULE % 'OpRetur',
    'invalid.spvasm': MODULE % 'OpKill',
    'odd.spv': 'abcde',
}
RUN = ['--buffer', '0:0=zeros:16', '--print', '0:0:f32:1']
# Name, arguments, exit code, and what stdout (0) or stderr must contain.
CASES = [
    ('a file', ['run', 'plain.comp', *RUN], 0, ['2.5\n']),
    ('a stage before .glsl', ['run', 'plain.comp.glsl', *RUN], 0, ['2.5\n']),
    ('a file beside the including one', ['run', 'local.comp', *RUN], 0, ['2.5\n']),
    ('a file of an include folder', ['run', '-I', 'sub', '-I', 'include', 'system.comp', *RUN], 0, ['2.5\n']),
    ('a macro', ['run', '-D', 'VALUE=5.0/2.0', 'macro.comp', *RUN], 0, ['2.5\n']),
    ('a stage by option', ['run', '--stage', 'comp', 'plain.txt', *RUN], 0, ['2.5\n']),
    ('optimized', ['run', '--optimize', '--validate', 'local.comp', *RUN], 0, ['2.5\n']),
    ('assembly', ['compile', '--validate', 'good.spvasm', '--stats'], 0, ['instructions']),
    ('no file', ['compile', 'none.comp'], 2, ['none.comp: no such file']),
    ('no stage', ['compile', 'plain.txt'], 2, ['plain.txt: no shader stage']),
    ('an unknown stage', ['compile', '--stage', 'pixel', 'plain.txt'], 2, ['no shader stage']),
    ('an include that is missing', ['compile', 'missing.comp'], 2, ["missing.comp:2: error: '#include'", 'none.glsl']),
    ('an include folder that is missing', ['compile', 'system.comp'], 2, ["system.comp:2: error: '#include'"]),
    ('an include without end', ['compile', 'endless.comp'], 2, ['included too deeply']),
    ('a syntax error', ['compile', 'wrong.comp'], 2, ['wrong.comp:5: error:']),
    ('an error in an included file', ['compile', 'undeclared.comp'], 2, ["sub/wrong.glsl:2: error: 'missing' : undeclared"]),
    ('a name like a place', ['compile', 'a 3: b.comp'], 2, ["a 3: b.comp:5: error: 'nowhere'"]),
    ('no entry point', ['compile', 'no_main.comp'], 2, ['no_main.comp: error: ', 'Missing entry point']),
    ('an unknown instruction', ['compile', 'bad.spvasm'], 2, ['bad.spvasm:9:16: error:', 'OpRetur']),
    ('an invalid module', ['compile', '--validate', 'invalid.spvasm'], 2, ['invalid.spvasm: error: not valid', 'OpKill']),
    ('a broken word', ['compile', 'odd.spv'], 2, ['not a whole number of SPIR-V words']),
]


def check(name, arguments, code, parts, folder):
    done = subprocess.run([SPALT, *arguments], cwd=folder, env={}, capture_output=True, text=True, timeout=60)
    said = done.stdout if code == 0 else done.stderr
    missing = [part for part in parts if part not in said]
    if done.returncode == code and not missing:
        return True
    print(f'FAILED {name}: exit code {done.returncode}, expected {code}; missing {missing}\n{done.stdout}{done.stderr}')
    return False


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        passed = sum(check(*case, folder) for case in CASES)
    print(f'{passed} passed, {len(CASES) - passed} failed')
    return 0 if passed == len(CASES) else 1


sys.exit(main())
