# SPDX-License-Identifier: MIT
"""Where we do not emit what clang 19 does, and why: each name is explained in docs/isa-errata.md, "Memory model against clang".

A difference is a function that turns clang's steps into ours. How often each changes something, over all operations, is part of the
expectation (COUNTS), so that one that goes away, or spreads, is noticed.
"""
WAITS = ('L', 'V', 'VS', 'SAMPLE', 'BVH')
GFX9 = ('gfx900',)
# Of LLVM 19: s_barrier does not let a wave wait for its counters while it stops for an exception.
NO_BACK_OFF_BARRIER = ('gfx900', 'gfx1100', 'gfx1150', 'gfx1200')
GL_CACHES = ('gfx1010', 'gfx1030', 'gfx1100', 'gfx1150')
SCOPED_CACHES = ('gfx1200',)


def is_wait(step):
    return all(part in WAITS for part in step.split('&'))


def waits_of(step):
    return set(step.split('&'))


def join(waits):
    return '&'.join(sorted(waits))


def middle_of(steps):
    """The index of the operation or barrier, None for a fence."""
    return next((i for i, step in enumerate(steps) if step.split(' ')[0] in ('op', 'BARRIER')), None)


def with_waits(steps, at, waits):
    """Adds waits to the step before index `at`, or makes that step."""
    steps = list(steps)
    if at > 0 and is_wait(steps[at - 1]):
        steps[at - 1] = join(waits_of(steps[at - 1]) | waits)
    else:
        steps.insert(at, join(waits))
    return steps


def releases(operation):
    ordered = operation.order in ('release', 'acq_rel', 'seq_cst')
    return ordered and (operation.kind != 'load' or operation.order == 'seq_cst') or operation.failure == 'seq_cst'


def acquires(operation):
    orders = (operation.order, operation.failure)
    return operation.kind != 'store' and any(order in ('acquire', 'acq_rel', 'seq_cst') for order in orders)


def orders_buffers(operation):
    return operation.memory in ('buffer', 'both') or operation.orders == 'both' or operation.order == 'seq_cst' and not operation.is_fence


def meets_within_workgroup(operation):
    wide = operation.scope not in ('invocation', 'subgroup', 'workgroup')
    return operation.scope == 'workgroup' or wide and operation.memory == 'shared' and not operation.is_fence


def cu_mode_waits(target, mode, operation, steps):
    """The waits of WGP mode, in which the waves of a workgroup take different caches."""
    if mode != 'cu' or not meets_within_workgroup(operation) or not orders_buffers(operation):
        return steps
    if operation.kind.startswith('plain') or operation.order == 'relaxed':
        return steps
    all_waits = {'V'} if target in GFX9 else {'V', 'VS'}
    if operation.kind == 'fence':
        return with_waits(steps, min(len(steps), 1), all_waits)
    if releases(operation):
        steps = with_waits(steps, middle_of(steps), all_waits)
    if acquires(operation) and operation.memory == 'buffer' and operation.kind != 'barrier':
        own = {'V'} if operation.returns or target in GFX9 else {'VS'}
        middle = middle_of(steps)
        behind = middle + 2 if middle + 1 < len(steps) and is_wait(steps[middle + 1]) else middle + 1
        steps = with_waits(steps, behind, own)
    return steps


def barrier_drains_all(target, _mode, operation, steps):
    """Waits before the barrier that its fence does not ask for."""
    if operation.kind != 'barrier' or target not in NO_BACK_OFF_BARRIER:
        return steps
    asked = set()
    if operation.order != 'relaxed':
        asked |= {'V', 'VS'} if orders_buffers(operation) else set()
        asked |= {'L'} if operation.memory != 'buffer' else set()
    steps = list(steps)
    at = middle_of(steps) - 1
    left = waits_of(steps[at]) & asked
    steps[at:at + 1] = [join(left)] if left else []
    return steps


def invalidate_waits_for_loads(target, _mode, operation, steps):
    """V before gl0_inv and gl1_inv where nothing is loaded from a buffer."""
    if target not in GL_CACHES or operation.is_fence or operation.memory == 'buffer' and operation.returns:
        return steps
    steps = list(steps)
    for i, step in enumerate(steps[1:], 1):
        if step.startswith('INV') and is_wait(steps[i - 1]) and i - 1 > middle_of(steps):
            steps[i - 1] = join(waits_of(steps[i - 1]) - {'V'})
    return steps


def write_back(target, _mode, _operation, steps):
    """global_wb below system scope."""
    return [step for step in steps if not step.startswith('WB ')] if target in SCOPED_CACHES else steps


def local_release_fence(target, _mode, operation, steps):
    """No wait for workgroup memory in a fence that releases it alone."""
    releasing = operation.kind == 'fence' and operation.memory == 'shared' and releases(operation)
    if target not in SCOPED_CACHES or not releasing or operation.scope in ('invocation', 'subgroup'):
        return steps
    return with_waits(steps, len(steps), {'L'})


def wait_before_system_store(target, _mode, operation, steps):
    """Waits before volatile stores."""
    if target not in SCOPED_CACHES or operation.kind != 'plain_store' or operation.flag != 'volatile':
        return steps
    return list(steps)[middle_of(steps):]


DIFFERENCES = {
    'cu-mode-waits': cu_mode_waits,
    'barrier-drains-all': barrier_drains_all,
    'invalidate-waits-for-loads': invalidate_waits_for_loads,
    'write-back': write_back,
    'local-release-fence': local_release_fence,
    'wait-before-system-store': wait_before_system_store,
}
COUNTS = {  # name: {target and mode: operations}
    'cu-mode-waits': {'gfx900 cu': 137, 'gfx1010 cu': 143, 'gfx1030 cu': 143, 'gfx1100 cu': 137, 'gfx1150 cu': 137, 'gfx1200 cu': 137},
    'barrier-drains-all': {f'{target} {mode}': 7 for target in NO_BACK_OFF_BARRIER for mode in ('cu', 'wgp')},
    'invalidate-waits-for-loads': {f'{target} {mode}': count for target in GL_CACHES for mode, count in (('cu', 4), ('wgp', 24))},
    'write-back': {'gfx1200 cu': 98, 'gfx1200 wgp': 213},
    'local-release-fence': {'gfx1200 cu': 9, 'gfx1200 wgp': 9},
    'wait-before-system-store': {'gfx1200 cu': 8, 'gfx1200 wgp': 8},
}


def apply(target, mode, operation, theirs):
    """The differences that concern the operation, and what we should emit then."""
    names, steps = [], list(theirs)
    for name, change in DIFFERENCES.items():
        changed = list(change(target, mode, operation, steps))
        if changed != steps:
            names.append(name)
        steps = changed
    return names, tuple(steps)
