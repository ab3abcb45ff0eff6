#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at what `spalt compile --report` writes, in a browser without a network.

usage: tests/command_line/report.py PATH_TO_SPALT      needs chromium
The last line is "N passed, N failed".
"""
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / 'tests/run/programs/nbody.comp'
GRAPHICS = [ROOT / 'tests/fuzz/seeds/varyings.vert', ROOT / 'tests/fuzz/seeds/varyings.frag']
# What the page must survive: the end of its own script element, and markup.
NASTY = '''#version 450
// </script><b id="injected">&amp; <!-- "
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] += 1u; }
'''
passed = failed = 0


def check(name, condition, detail=''):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f'FAILED {name}: {detail}')


def spalt(*arguments):
    return subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)


def rendered(page):
    """The document after its script has run."""
    with tempfile.TemporaryDirectory() as profile:
        run = subprocess.run(['chromium', '--headless=new', '--no-sandbox', '--disable-gpu', f'--user-data-dir={profile}',
                              '--proxy-server=127.0.0.1:9', '--dump-dom', page.as_uri()], capture_output=True, text=True, timeout=120, check=False)
    return run.stdout


def rows(document):
    return len(re.findall(r'<div class="row"', document))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    page = folder / 'report.html'
    assembly = folder / 'other.s'
    assembly.write_text(spalt('compile', PROGRAM, '--target', 'gfx1030', '--wave', 64, '--emit', 'asm').stdout)
    run = spalt('compile', PROGRAM, '--wave', 64, '--report', page, '--beside', 'gfx1100', '--beside', assembly)
    check('compiles', run.returncode == 0, run.stderr)
    text = page.read_text()
    check('nothing from elsewhere', not re.findall(r'(?:src|href)=|https?://(?!www\.w3\.org/2000/svg)', re.sub(r'<script id="data".*?</script>', '', text, flags=re.S)))
    document = rendered(page)
    check('the script runs to its end', 'data-ready="yes"' in document, document[-300:])
    expected = compiled = 0
    for target in ('gfx1030', 'gfx1100'):
        program = json.loads(spalt('analyze', '--json', PROGRAM, '--target', target, '--wave', 64).stdout)[0]
        compiled += program['instructions']
        expected += (program['instructions'] + len(program['blocks'])) * (2 if target == 'gfx1030' else 1)
    check('a row for each instruction and block', rows(document) == expected, (rows(document), expected))
    check('columns', all(label in document for label in ('gfx1030: _amdgpu_cs_main', 'gfx1100: _amdgpu_cs_main', 'other.s, gfx1030')))
    check('the source and the forms after it', re.findall(r'<button role="tab"[^>]*>([^<]*)<', document) ==
          ['nbody.comp', 'after read', 'after hoist_loads', 'after insert_delays'], re.findall(r'<button[^>]*>([^<]*)<', document))
    check('plots and graphs', document.count('<svg') == 6, document.count('<svg'))
    check('plots link to rows', all(document.count(f'data-link="p{p}.0"') == 2 for p in range(3)))

    # A line of the source in the mouse's way: its code lights up, in both columns that were compiled from it.
    lines = PROGRAM.read_text().splitlines()
    line = next(i for i, text in enumerate(lines) if 'inversesqrt' in text) + 1
    page.write_text(text.replace('</body>', f"""<script>
const pointed = document.querySelector('.line[data-line="m0.0.{line}"]');
pointed.dispatchEvent(new MouseEvent('mouseover', {{ bubbles: true }}));
for (const button of document.querySelectorAll('.tabs button')) if (button.textContent === 'after hoist_loads') button.click();
document.body.dataset.lit = [...document.querySelectorAll('.row.same-line')].map((row) => row.textContent.match(/v_[a-z0-9_]+/)).join();
document.body.dataset.colored = [...document.querySelectorAll('.row[data-line]')].length;
document.body.dataset.forms = document.querySelectorAll('.line[data-line="m0.0.{line}"]').length;
</script></body>"""))
    document = rendered(page)
    lit = (re.findall(r'data-lit="([^"]*)"', document) or [''])[0].split(',')
    check('a line and its code', lit.count('v_rsq_f32_e32') == 2 and not any('load' in each for each in lit), lit)
    colored = int((re.findall(r'data-colored="(\d+)"', document) or ['0'])[0])
    check('most of the code has a line', compiled >= colored > 0.9 * compiled, (colored, compiled))
    check('the IR has lines', re.findall(r'data-forms="(\d+)"', document) == ['1'], re.findall(r'data-forms="(\d+)"', document))

    # A module alone: the texts that it carries.
    module = folder / 'module.spv'
    subprocess.run(['glslangValidator', '-gVS', '-V', '--target-env', 'vulkan1.3', '-o', module, PROGRAM], check=True, stdout=subprocess.DEVNULL)
    check('a module with its source', spalt('compile', module, '--report', page).returncode == 0)
    document = rendered(page)
    check('the text of the module', re.findall(r'<button role="tab"[^>]*>([^<]*)<', document)[:1] == ['nbody.comp'] and
          re.search(rf'data-line="m0\.\d+\.{line}">.*?</b><span>[^<]*inversesqrt', document), re.findall(r'<button[^>]*>([^<]*)<', document))

    nasty = folder / 'nasty.comp'
    nasty.write_text(NASTY)
    check('a nasty source compiles', spalt('compile', nasty, '--report', page).returncode == 0)
    document = rendered(page)
    check('a nasty source stays a text', 'data-ready="yes"' in document and '<b id="injected">' not in document and
          '</script><b id="injected">&amp; <!-- "' in html.unescape(document), document[-300:])

    run = spalt('compile', *GRAPHICS, '--report', page, '-o', folder / 'pipeline.elf')
    document = rendered(page)
    check('a pipeline', run.returncode == 0 and '_amdgpu_vs_main' in document and '_amdgpu_ps_main' in document and (folder / 'pipeline.elf').exists(), run.stderr)

    check('no dumps beside it', spalt('compile', PROGRAM, '--report', page, '--dump-after', 'read').returncode == 1)
    check('a bad file beside', spalt('compile', PROGRAM, '--report', page, '--beside', folder / 'absent.s').returncode == 2)
    check('a folder that is not there', spalt('compile', PROGRAM, '--report', folder / 'absent' / 'r.html').returncode == 2)

print(f'{passed} passed, {failed} failed')
sys.exit(failed != 0)
