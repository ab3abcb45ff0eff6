#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds tools/cts against a deqp-vk of a few lines, which passes, fails, crashes and hangs as the names of its cases say.

usage: tests/command_line/cts_runner.py
The last line is "N passed, N failed".
"""
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = [f'dEQP-VK.info.{kind}_{i}' for i in range(3) for kind in ('pass', 'fail', 'crash', 'hang', 'unsupported')]
FAKE = '''#!/usr/bin/env python3
import os, pathlib, subprocess, sys, time
cases = %r
options = dict(o.removeprefix('--deqp-').partition('=')[::2] for o in sys.argv[1:])
if options.get('runmode') == 'stdout-caselist':
    print('GROUP: dEQP-VK.info')
    for case in cases + ['dEQP-VK.wsi.unrelated_0']: print('TEST: ' + case)
    sys.exit(0)
assert ('compute-only' in options) == (os.environ['SPALT_ICD_GRAPHICS'] == '0')
assert os.environ['SPALT_ICD_TARGET'] == 'gfx900'
for case in pathlib.Path(options['caselist-file']).read_text().split():
    print("Test case '%%s'.." %% case, flush=True)
    if 'crash' in case: os._exit(139)
    if 'hang' in case:
        child = subprocess.Popen(['sleep', '60'])
        folder = os.environ.get('FAKE_DEQP_PIDS')
        if folder:
            for pid in (os.getpid(), child.pid): (pathlib.Path(folder) / str(pid)).touch()
        child.wait()
    print('  ' + ('Fail (because)' if 'fail' in case else 'NotSupported (no)' if 'unsupported' in case else 'Pass (ok)'), flush=True)
''' % CASES
passed = failed = 0


def check(name, condition, detail=''):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f'FAILED {name}: {detail}')


def run(deqp, folder, *options):
    command = [ROOT / 'tools/cts', '--deqp', deqp, '--target', 'gfx900', '--timeout', '1.5', '--jobs', '4', '--chunk', '8',
               '--json', folder / 'out.json', '--expected', folder / 'expected', *options]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, check=False)
    written = folder / 'out.json'
    return done, json.loads(written.read_text())['cases'] if written.exists() else {}


def is_running(pid):
    try:
        return ') Z ' not in pathlib.Path(f'/proc/{pid}/stat').read_text()
    except OSError:
        return False


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def check_signal(deqp, folder, number):
    """A signal ends the runner, what it started, and what those started, long before the cases time out."""
    started = folder / f'started_{number.name}'
    started.mkdir()
    (folder / 'hanging.txt').write_text(''.join(f'{case}\n' for case in CASES if 'hang' in case))
    command = [ROOT / 'tools/cts', '--deqp', deqp, '--target', 'gfx900', '--case-list', folder / 'hanging.txt', '--jobs', '2',
               '--chunk', '1']
    with subprocess.Popen([str(part) for part in command], env=dict(os.environ, FAKE_DEQP_PIDS=str(started)),
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as runner:
        check(f'{number.name}: two of three cases run', wait_for(lambda: len(list(started.iterdir())) == 4, 30))
        pids = [path.name for path in started.iterdir()]
        check(f'{number.name}: they do', all(is_running(pid) for pid in pids), pids)
        runner.send_signal(number)
        try:
            check(f'{number.name}: exit code', runner.wait(20) == 128 + number, runner.returncode)
        except subprocess.TimeoutExpired:
            check(f'{number.name}: the runner ends', False)
            runner.kill()
    left = [path.name for path in started.iterdir()]
    check(f'{number.name}: nothing was started after it', sorted(left) == sorted(pids), left)
    check(f'{number.name}: nothing runs', wait_for(lambda: not any(is_running(pid) for pid in left), 5), left)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        deqp = folder / 'deqp-vk'
        deqp.write_text(FAKE)
        deqp.chmod(deqp.stat().st_mode | stat.S_IEXEC)
        (folder / 'expected').mkdir()

        done, cases = run(deqp, folder, '--sample', '0')
        wanted = {'pass': 'Pass', 'fail': 'Fail', 'crash': 'Crash', 'hang': 'Timeout', 'unsupported': 'NotSupported'}
        check('every case has its result', {case: wanted[case.split('.')[-1].split('_')[0]] for case in CASES} ==
              {case: row['result'] for case, row in cases.items()}, cases)
        check('worse than recorded', done.returncode == 1 and '9 worse' in done.stdout, done.stdout)

        bad = [case for case in CASES if not ('pass' in case or 'unsupported' in case)]
        (folder / 'expected/all.txt').write_text(''.join(f'Fail {case}  # known\n' for case in bad[:5]))
        (folder / 'expected/gfx900.txt').write_text(
            ''.join(f'Fail {case}  # known\n' for case in bad[5:]) + f'Fail {CASES[0]}\n')
        done, _ = run(deqp, folder, '--sample', '0')
        check('as recorded', done.returncode == 0 and '9 fail as recorded' in done.stdout, done.stdout)
        check('one is better', f'now Pass: {CASES[0]}' in done.stdout, done.stdout)

        _, first = run(deqp, folder, '--sample', '7')
        _, again = run(deqp, folder, '--sample', '7')
        check('the sample is the same', len(first) == 7 and set(first) == set(again), first)
        done, cases = run(deqp, folder, '--sample', '0', '--cases', 'dEQP-VK.wsi.*', '--cases', '*.pass_1')
        check('cases by patterns', set(cases) == {'dEQP-VK.wsi.unrelated_0', 'dEQP-VK.info.pass_1'}, cases)
        check('patterns are groups', any(line.split()[:2] == ['wsi', '1'] for line in done.stdout.splitlines()), done.stdout)
        done, _ = run(folder / 'nothing', folder)
        check('no deqp-vk', done.returncode == 2, done.stderr)
        check_signal(deqp, folder, signal.SIGTERM)
        check_signal(deqp, folder, signal.SIGINT)
    print(f'{passed} passed, {failed} failed')
    return failed != 0


sys.exit(main())
