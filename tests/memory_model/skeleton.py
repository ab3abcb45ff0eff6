# SPDX-License-Identifier: MIT
"""The memory-ordering skeleton of a kernel: what stands between the last access before an operation and the first one after it.

    waits         V (vector loads), VS (vector stores, where they have a counter of their own), L (workgroup memory); waits that follow
                  each other are one step, whatever instructions they are in. A wait that leaves accesses outstanding is for a result:
                  arithmetic on what was loaded before may stand here. It orders nothing, and where it stood for a whole one, that is missed.
    op ...        the operation with its cache-policy bits; "returns" if it gives the old value
    INV0 INV1 ... invalidations and write-backs with their scope
    BARRIER

Left out is what orders no memory: arithmetic, scalar loads, clauses, delays, hazard cures, which instruction addresses the memory, which
registers hold what. The kernels are made so that no whole wait for a result falls between (operations.py).
An access that must not pass the operation but does is a step "early ..." or "late ...".
"""
import re

from operations import BUFFER_AT, SHARED_AT

# s_waitcnt fields and wait instructions to the letters of the tables.
COUNTERS = {'vmcnt': 'V', 'lgkmcnt': 'L', 'expcnt': 'EXP', 'vscnt': 'VS', 'loadcnt': 'V', 'storecnt': 'VS', 'dscnt': 'L', 'samplecnt': 'SAMPLE',
            'bvhcnt': 'BVH', 'kmcnt': 'KM'}
CACHES = {'buffer_wbinvl1_vol': 'INV', 'buffer_wbinvl1': 'INV', 'buffer_gl0_inv': 'INV0', 'buffer_gl1_inv': 'INV1', 'global_inv': 'INV',
          'global_wb': 'WB', 'global_wbinv': 'WBINV'}
MEMORY = re.compile(r'(buffer|global|flat|scratch|ds|tbuffer|image)_')
OFFSET = re.compile(r'offset:(0x[0-9a-f]+|\d+)')
POLICY = re.compile(r'\b(slc|dlc|sc0|sc1|nt|nv|th:\w+|scope:\w+)\b')


class Malformed(Exception):
    """The assembly is not that of one of our kernels."""


def waits(text):
    """{letter: outstanding} of a wait instruction, None if it is none."""
    word, _, operands = text.partition(' ')
    if word == 's_waitcnt':
        return {COUNTERS[name]: int(count) for name, count in re.findall(r'(\w+)cnt\((\d+)\)', operands.replace('cnt(', 'cntcnt('))} or None
    found = re.fullmatch(r's_wait(?:cnt)?_(\w+)', word)
    if not found or word in ('s_waitcnt_depctr', 's_wait_alu'):
        return None
    names = re.findall(r'[a-z]+cnt', found[1])
    if any(name not in COUNTERS for name in names) or not names:
        raise Malformed(f'unknown wait {text}')
    value = int(operands.split(',')[-1], 0)
    if len(names) == 1:
        return {COUNTERS[names[0]]: value}
    # The first in bits 8 and up, dscnt in the low byte (RDNA 4 ISA guide, S_WAIT_LOADCNT_DSCNT).
    return {COUNTERS[names[0]]: value >> 8, COUNTERS[names[1]]: value & 0xff}


def operation_step(text):
    word = text.split(' ')[0]
    policy = POLICY.findall(text)
    step = ['op']
    atomic = 'atomic' in word or word.startswith('ds_') and not re.match(r'ds_(read|write|load|store)_', word)
    if atomic:
        if re.search(r'\bglc\b|TH_ATOMIC_RETURN', text) or '_rtn' in word:
            step.append('returns')
        policy = [bit for bit in policy if bit != 'th:TH_ATOMIC_RETURN']
    elif re.search(r'\bglc\b', text):
        step.append('glc')
    return ' '.join(step + policy)


def place_of(text):
    """The name of the access in BUFFER_AT or SHARED_AT."""
    shared = text.startswith('ds_')
    found = OFFSET.search(text)
    offset = int(found[1], 0) if found else 0
    for name, dword in (SHARED_AT if shared else BUFFER_AT).items():
        if offset == dword * 4:
            return name
    return 'results' if not shared and offset > BUFFER_AT['results'] * 4 else f'unknown offset {offset}'


def events(assembly):
    """(kind, value) of each instruction that matters: wait, cache, barrier, or the place of an access."""
    for line in assembly.splitlines():
        text = re.sub(r'\s*(//|;).*$', '', line).strip()
        text = re.sub(r'\s+', ' ', text)
        word = text.split(' ')[0]
        if not word or word.endswith(':') or word.startswith('.'):
            continue
        drained = waits(text)
        if drained is not None:
            yield 'wait', drained
        elif word in CACHES:
            scope = re.search(r'scope:SCOPE_(\w+)', text)
            yield 'cache', CACHES[word] + (f' {scope[1]}' if scope else '')
        elif word in ('s_barrier', 's_barrier_wait'):
            yield 'barrier', 'BARRIER'
        elif MEMORY.match(word):
            yield place_of(text), text


def position(kinds, names, default, choose):
    found = [i for i, kind in enumerate(kinds) if kind in names]
    return choose(found) if found else default


BEFORE, AFTER = ('before_load', 'before_store'), ('after_load', 'after_store')


def check_complete(found, operation):
    kinds = [kind for kind, _ in found]
    unknown = [kind for kind in kinds if kind.startswith('unknown')]
    if unknown:
        raise Malformed(unknown[0])
    for place in (*BEFORE, *AFTER):
        if kinds.count(place) != 2:  # one of each kind of memory
            raise Malformed(f'{place} stands there {kinds.count(place)} times')
    if kinds.count('operation') != (0 if operation.is_fence else 1):
        raise Malformed(f'the operation stands there {kinds.count("operation")} times')
    if kinds.count('barrier') != (operation.kind == 'barrier'):
        raise Malformed(f'{kinds.count("barrier")} barriers')


def passing(found, operation, at):
    """Accesses on the wrong side of an operation that orders them for other waves. The lanes of a wave run in step, so that for them the order
    of loads and stores of the same kind of memory is enough, which both compilers keep."""
    orders = operation.orders or operation.memory
    ordered = ('shared', 'buffer') if orders == 'both' else (orders,)
    beyond_wave = operation.scope not in ('invocation', 'subgroup')
    releases = operation.order in ('release', 'acq_rel', 'seq_cst') and beyond_wave
    acquires = operation.order in ('acquire', 'acq_rel', 'seq_cst') and beyond_wave
    steps = []
    for i, (kind, text) in enumerate(found):
        memory = 'shared' if str(text).startswith('ds_') else 'buffer'
        if memory not in ordered:
            continue
        if releases and kind in BEFORE and i > at and operation.kind != 'load':
            steps.append(f'late {memory} {kind}')
        if acquires and kind in AFTER and i < at and operation.kind != 'store':
            steps.append(f'early {memory} {kind}')
    return steps


def skeleton(assembly, operation):
    """The steps, a tuple of strings."""
    found = list(events(assembly))
    check_complete(found, operation)
    kinds = [kind for kind, _ in found]
    behind = (*AFTER, 'results')
    if operation.is_fence:
        middle = first = position(kinds, BEFORE, 0, max)
        last = position(kinds, behind, 0, min)
    else:
        # What may pass the operation stands between it and its waits, and is not in the way.
        middle = kinds.index('operation')
        first = position(kinds[:middle], BEFORE, 0, max)
        last = middle + 1 + position(kinds[middle + 1:], behind, 0, min)
    steps, pending = [], set()
    for kind, value in found[first + 1:last]:
        if kind == 'wait':
            pending |= {name for name, count in value.items() if count == 0}
            continue
        if kind in BEFORE or kind in behind:
            continue
        if pending:
            steps.append('&'.join(sorted(pending)))
            pending = set()
        steps.append(operation_step(value) if kind == 'operation' else value)
    if pending:
        steps.append('&'.join(sorted(pending)))
    return tuple(steps + passing(found, operation, middle))
