# SPDX-License-Identifier: MIT
"""The memory operations that are compared, as OpenCL C for clang and as SPIR-V for us.

Each operation stands alone in a kernel, between accesses to global and workgroup memory that are outstanding when it begins, and others that
follow. Their addresses hang on a value that is loaded first, so that nothing before the operation waits for descriptors or arguments; what is
loaded is stored at the very end, so that nothing after the load waits for results. Every access has a distance of its own from the lane's
address, by which it is known in the assembly.
"""
import dataclasses

SCOPES = {  # name: (OpenCL, builtin fence, SPIR-V)
    'invocation': ('memory_scope_work_item', 'singlethread', 4),
    'subgroup': ('memory_scope_sub_group', 'wavefront', 3),
    'workgroup': ('memory_scope_work_group', 'workgroup', 2),
    'queue_family': ('memory_scope_device', 'agent', 5),
    'device': ('memory_scope_device', 'agent', 1),
}
ORDERS = {  # name: (OpenCL, builtin fence, SPIR-V with availability and visibility)
    'relaxed': ('memory_order_relaxed', '__ATOMIC_RELAXED', 0),
    'acquire': ('memory_order_acquire', '__ATOMIC_ACQUIRE', 0x2 | 0x4000),
    'release': ('memory_order_release', '__ATOMIC_RELEASE', 0x4 | 0x2000),
    'acq_rel': ('memory_order_acq_rel', '__ATOMIC_ACQ_REL', 0x8 | 0x6000),
    'seq_cst': ('memory_order_seq_cst', '__ATOMIC_SEQ_CST', 0x10 | 0x6000),
}
STORAGE = {'buffer': 0x40, 'shared': 0x100, 'both': 0x140}  # storage-class bits of SPIR-V's memory semantics
AS_NAMES = {'buffer': ', "global"', 'shared': ', "local"', 'both': ''}
VOLATILE = 0x8000

# Dwords from the lane's address. Those of workgroup memory are too far apart, and too uneven, for paired accesses.
BUFFER_AT = {'select': 8, 'before_load': 16, 'before_store': 32, 'operation': 64, 'after_load': 80, 'after_store': 96, 'results': 112}
SHARED_AT = {'before_load': 260, 'before_store': 520, 'operation': 780, 'after_load': 1040, 'after_store': 1300}
LANE_DWORDS = 512  # of the buffer
SHARED_DWORDS = 2048


@dataclasses.dataclass(frozen=True)
class Operation:
    kind: str  # load, store, rmw, returning_rmw, exchange, cas, fence, barrier, plain_load, plain_store
    order: str
    scope: str
    memory: str  # where the operation is; of a fence or barrier what it orders
    orders: str = ''  # of an atomic: '' its own kind of memory, 'both' all
    failure: str = ''  # of a compare exchange: the order when it fails
    flag: str = ''  # volatile or nontemporal

    @property
    def name(self):
        parts = [self.kind, self.order, self.failure and f'or_{self.failure}', self.scope, self.memory,
                 self.orders and 'orders_both', self.flag]
        return '_'.join(part for part in parts if part)

    @property
    def is_fence(self):
        return self.kind in ('fence', 'barrier')

    @property
    def returns(self):
        return self.kind in ('load', 'returning_rmw', 'exchange', 'cas', 'plain_load')

    @property
    def semantics(self):
        return self.semantics_of(self.order)

    def semantics_of(self, order):
        """SPIR-V's memory semantics."""
        bits = ORDERS[order][2]
        if bits:
            bits |= STORAGE[self.orders or self.memory]
        return bits | (VOLATILE if self.flag == 'volatile' else 0)


def atomics():
    for scope in SCOPES:
        for memory in ('buffer', 'shared'):
            for orders in ('', 'both'):
                def one(kind, order, failure='', flag=''):
                    return Operation(kind, order, scope, memory, orders, failure, flag)
                ordered = ('acquire', 'release', 'acq_rel') if orders else tuple(ORDERS)
                for order in ordered:
                    if order not in ('release', 'acq_rel'):
                        yield one('load', order)
                    if order not in ('acquire', 'acq_rel'):
                        yield one('store', order)
                    yield one('rmw', order)
                    yield one('returning_rmw', order)
                    yield one('exchange', order)
                for success in ordered:
                    for failure in ('relaxed', 'acquire') if success != 'seq_cst' else ('relaxed', 'acquire', 'seq_cst'):
                        if success == 'relaxed' and failure != 'relaxed':
                            continue  # SPIR-V: the failing order is not the stronger one
                        yield one('cas', success, failure)


def all_operations():
    yield from atomics()
    for scope in SCOPES:
        for memory in STORAGE:
            for order in ('acquire', 'release', 'acq_rel', 'seq_cst'):
                yield Operation('fence', order, scope, memory)
    for memory in STORAGE:
        for scope in ('workgroup', 'queue_family', 'device'):
            yield Operation('barrier', 'acq_rel', scope, memory)
    yield Operation('barrier', 'relaxed', 'workgroup', 'both')
    for memory in ('buffer', 'shared'):
        for flag in ('', 'volatile', 'nontemporal'):
            yield Operation('plain_load', 'relaxed', 'invocation', memory, flag=flag)
            yield Operation('plain_store', 'relaxed', 'invocation', memory, flag=flag)
        for scope in ('workgroup', 'device'):
            for kind in ('load', 'store', 'rmw', 'returning_rmw'):
                yield Operation(kind, 'relaxed', scope, memory, flag='volatile')


# ---- OpenCL C ----

OPENCL_HEAD = f"""\
struct lane {{ uint m[{LANE_DWORDS}]; }};
#define KERNEL(NAME, OPERATION) \\
  kernel __attribute__((reqd_work_group_size(256, 1, 1))) void NAME(global struct lane *lanes) {{ \\
    local uint workgroup_memory[{SHARED_DWORDS}]; \\
    uint x = 0; \\
    uint i = lanes[__builtin_amdgcn_workitem_id_x()].m[{BUFFER_AT['select']}] & 255; \\
    global uint *buffer = lanes[i].m; \\
    local uint *shared = workgroup_memory + i; \\
    uint a = buffer[{BUFFER_AT['before_load']}]; \\
    buffer[{BUFFER_AT['before_store']}] = i; \\
    uint b = shared[{SHARED_AT['before_load']}]; \\
    shared[{SHARED_AT['before_store']}] = i; \\
    OPERATION; \\
    uint c = buffer[{BUFFER_AT['after_load']}]; \\
    buffer[{BUFFER_AT['after_store']}] = i; \\
    uint d = shared[{SHARED_AT['after_load']}]; \\
    shared[{SHARED_AT['after_store']}] = i; \\
    global uint *results = buffer + {BUFFER_AT['results']}; \\
    results[0] = a; results[8] = b; results[16] = c; results[24] = d; results[32] = x; \\
  }}
"""


def opencl_statement(operation):
    opencl_scope, fence_scope, _ = SCOPES[operation.scope]
    order, fence_order, _ = ORDERS[operation.order]
    if operation.kind == 'fence':
        return f'__builtin_amdgcn_fence({fence_order}, "{fence_scope}"{AS_NAMES[operation.memory]})'
    if operation.kind == 'barrier':
        # What work_group_barrier of the device library does.
        if operation.order == 'relaxed':
            return '__builtin_amdgcn_s_barrier()'
        rest = f'"{fence_scope}"{AS_NAMES[operation.memory]})'
        return (f'__builtin_amdgcn_fence(__ATOMIC_RELEASE, {rest}; __builtin_amdgcn_s_barrier(); '
                f'__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, {rest}')
    space, at = ('local', SHARED_AT) if operation.memory == 'shared' else ('global', BUFFER_AT)
    variable = 'shared' if operation.memory == 'shared' else 'buffer'
    qualifier = 'volatile ' if operation.flag == 'volatile' else ''
    plain = f'({qualifier}{space} uint *)&{variable}[{at["operation"]}]'
    atomic = f'({qualifier}{space} atomic_uint *)&{variable}[{at["operation"]}]'
    if operation.kind == 'plain_load':
        return f'x = __builtin_nontemporal_load({plain})' if operation.flag == 'nontemporal' else f'x = *{plain}'
    if operation.kind == 'plain_store':
        return f'__builtin_nontemporal_store(i, {plain})' if operation.flag == 'nontemporal' else f'*{plain} = i'
    if operation.scope == 'invocation':
        return scoped_statement(operation, plain)
    tail = f'{order}, {opencl_scope})'
    if operation.kind == 'load':
        return f'x = __opencl_atomic_load({atomic}, {tail}'
    if operation.kind == 'store':
        return f'__opencl_atomic_store({atomic}, i, {tail}'
    if operation.kind == 'cas':
        failure = ORDERS[operation.failure][0]
        return f'x = 7; __opencl_atomic_compare_exchange_strong({atomic}, &x, i, {order}, {failure}, {opencl_scope})'
    call = '__opencl_atomic_exchange' if operation.kind == 'exchange' else '__opencl_atomic_fetch_add'
    result = 'x = ' if operation.returns else ''
    return f'{result}{call}({atomic}, i, {tail}'


def scoped_statement(operation, pointer):
    """OpenCL has fences for a single work item but no atomics; clang's builtins of plain C do."""
    order = ORDERS[operation.order][1]
    tail = f'{order}, __MEMORY_SCOPE_SINGLE)'
    if operation.kind == 'load':
        return f'x = __scoped_atomic_load_n({pointer}, {tail}'
    if operation.kind == 'store':
        return f'__scoped_atomic_store_n({pointer}, i, {tail}'
    if operation.kind == 'cas':
        return (f'x = 7; __scoped_atomic_compare_exchange_n({pointer}, &x, i, false, {order}, {ORDERS[operation.failure][1]}, '
                '__MEMORY_SCOPE_SINGLE)')
    call = '__scoped_atomic_exchange_n' if operation.kind == 'exchange' else '__scoped_atomic_fetch_add'
    result = 'x = ' if operation.returns else ''
    return f'{result}{call}({pointer}, i, {tail}'


def opencl_source(operations):
    return OPENCL_HEAD + ''.join(f'KERNEL({op.name}, {opencl_statement(op)})\n' for op in operations)


# ---- SPIR-V ----

SPIRV_HEAD = """\
OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability VulkanMemoryModelDeviceScope
OpExtension "SPV_KHR_vulkan_memory_model"
OpMemoryModel Logical Vulkan
"""
SPIRV_TYPES = """\
OpDecorate %id BuiltIn LocalInvocationId
OpDecorate %dwords ArrayStride 4
OpDecorate %lanes ArrayStride {stride}
OpMemberDecorate %lane 0 Offset 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %lanes_ DescriptorSet 0
OpDecorate %lanes_ Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%uint3 = OpTypeVector %uint 3
%lane_dwords = OpConstant %uint {lane_dwords}
%shared_dwords = OpConstant %uint {shared_dwords}
%dwords = OpTypeArray %uint %lane_dwords
%lane = OpTypeStruct %dwords
%lanes = OpTypeRuntimeArray %lane
%block = OpTypeStruct %lanes
%shared_array = OpTypeArray %uint %shared_dwords
%pointer_block = OpTypePointer StorageBuffer %block
%pointer_buffer = OpTypePointer StorageBuffer %uint
%pointer_shared_array = OpTypePointer Workgroup %shared_array
%pointer_shared = OpTypePointer Workgroup %uint
%pointer_input3 = OpTypePointer Input %uint3
%pointer_input = OpTypePointer Input %uint
%lanes_ = OpVariable %pointer_block StorageBuffer
%workgroup_memory = OpVariable %pointer_shared_array Workgroup
%id = OpVariable %pointer_input3 Input
"""


class SpirvWriter:
    """One module with an entry point per operation."""

    def __init__(self):
        self.constants = set()
        self.functions = []

    def constant(self, value):
        self.constants.add(value)
        return f'%c{value}'

    def source(self, operations):
        for operation in operations:
            self.function(operation)
        entries = [f'OpEntryPoint GLCompute %{op.name} "{op.name}" %id\n' for op in operations]
        modes = [f'OpExecutionMode %{op.name} LocalSize 256 1 1\n' for op in operations]
        types = SPIRV_TYPES.format(stride=LANE_DWORDS * 4, lane_dwords=LANE_DWORDS, shared_dwords=SHARED_DWORDS)
        constants = [f'%c{value} = OpConstant %uint {value}\n' for value in sorted(self.constants)]
        return SPIRV_HEAD + ''.join([*entries, *modes, types, *constants, *self.functions])

    def function(self, operation):
        out = []
        prefix = f'%{operation.name}_'

        def emit(text):
            out.append(text + '\n')

        def buffer(name, index, dword):
            emit(f'{prefix}{name}_p = OpAccessChain %pointer_buffer %lanes_ {self.constant(0)} {index} {self.constant(0)} '
                 f'{self.constant(dword)}')
            return f'{prefix}{name}_p'

        def shared(name, dword):
            emit(f'{prefix}{name}_i = OpIAdd %uint {prefix}i {self.constant(dword)}')
            emit(f'{prefix}{name}_p = OpAccessChain %pointer_shared %workgroup_memory {prefix}{name}_i')
            return f'{prefix}{name}_p'

        def load(name, pointer):
            emit(f'{prefix}{name} = OpLoad %uint {pointer}')

        emit(f'%{operation.name} = OpFunction %void None %function')
        emit(f'{prefix}entry = OpLabel')
        emit(f'{prefix}id = OpAccessChain %pointer_input %id {self.constant(0)}')
        load('lane', f'{prefix}id')
        load('select', buffer('select', f'{prefix}lane', BUFFER_AT['select']))
        emit(f'{prefix}i = OpBitwiseAnd %uint {prefix}select {self.constant(255)}')
        index = f'{prefix}i'
        load('a', buffer('a', index, BUFFER_AT['before_load']))
        emit(f'OpStore {buffer("before", index, BUFFER_AT["before_store"])} {index}')
        load('b', shared('b', SHARED_AT['before_load']))
        emit(f'OpStore {shared("before_shared", SHARED_AT["before_store"])} {index}')
        pointer = None
        if not operation.is_fence:
            in_buffer = operation.memory == 'buffer'
            pointer = buffer('x', index, BUFFER_AT['operation']) if in_buffer else shared('x', SHARED_AT['operation'])
        emit(self.statement(operation, prefix + 'x', pointer, index))
        load('c', buffer('c', index, BUFFER_AT['after_load']))
        emit(f'OpStore {buffer("after", index, BUFFER_AT["after_store"])} {index}')
        load('d', shared('d', SHARED_AT['after_load']))
        emit(f'OpStore {shared("after_shared", SHARED_AT["after_store"])} {index}')
        for i, value in enumerate('abcdx' if operation.returns else 'abcd'):
            result = buffer(f'result_{value}', index, BUFFER_AT['results'] + 8 * i)
            emit(f'OpStore {result} {prefix}{value}')
        emit('OpReturn')
        emit('OpFunctionEnd')
        self.functions.append(''.join(out))

    def statement(self, operation, result, pointer, value):
        scope, semantics = self.constant(SCOPES[operation.scope][2]), self.constant(operation.semantics)
        if operation.kind == 'fence':
            return f'OpMemoryBarrier {scope} {semantics}'
        if operation.kind == 'barrier':
            return f'OpControlBarrier {self.constant(SCOPES["workgroup"][2])} {scope} {semantics}'
        flag = {'': '', 'volatile': ' Volatile', 'nontemporal': ' Nontemporal'}[operation.flag]
        if operation.kind == 'plain_load':
            return f'{result} = OpLoad %uint {pointer}{flag}'
        if operation.kind == 'plain_store':
            return f'OpStore {pointer} {value}{flag}'
        where = f'{pointer} {scope} {semantics}'
        if operation.kind == 'load':
            return f'{result} = OpAtomicLoad %uint {where}'
        if operation.kind == 'store':
            return f'OpAtomicStore {where} {value}'
        if operation.kind == 'cas':
            failure = self.constant(operation.semantics_of(operation.failure))
            return f'{result} = OpAtomicCompareExchange %uint {where} {failure} {value} {self.constant(7)}'
        opcode = 'OpAtomicExchange' if operation.kind == 'exchange' else 'OpAtomicIAdd'
        return f'{result} = {opcode} %uint {where} {value}'


def spirv_source(operations):
    return SpirvWriter().source(operations)
