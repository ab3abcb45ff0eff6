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
# Of 'seen' a load by another index comes last, so that Spalt must take what is stored before for read.
SHARED_AT = {'before_load': 260, 'before_store': 520, 'operation': 780, 'after_load': 1040, 'after_store': 1300, 'seen': 1560}
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
    bits: int = 32  # of every access to the buffer
    address: bool = False  # of SPIR-V: the buffer is behind a physical pointer; OpenCL has no other ones

    @property
    def name(self):
        parts = [self.kind, self.order, self.failure and f'or_{self.failure}', self.scope, self.memory,
                 self.orders and 'orders_both', self.flag, self.bits != 32 and f'{self.bits}_bits', self.address and 'address']
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


def forms():
    """Wider and narrower accesses, and those through physical pointers. There are no atomics of 8 and 16 bits."""
    def one(kind, order, scope, flag='', failure=''):
        memory = 'both' if kind == 'barrier' else 'buffer'
        return Operation(kind, order, scope, memory, '', failure, flag, bits, address)
    for bits, address in ((8, False), (16, False), (64, False), (32, True), (16, True), (64, True)):
        for flag in ('', 'volatile', 'nontemporal'):
            yield one('plain_load', 'relaxed', 'invocation', flag)
            yield one('plain_store', 'relaxed', 'invocation', flag)
        if address and bits != 32:
            continue
        for scope in ('workgroup', 'device'):
            yield one('fence', 'acquire', scope)
            yield one('fence', 'release', scope)
            yield one('barrier', 'acq_rel', scope)
            if bits < 32:
                continue
            for kind, orders in (('load', ('relaxed', 'acquire', 'seq_cst')), ('store', ('relaxed', 'release', 'seq_cst')),
                                 ('rmw', ('relaxed', 'acq_rel')), ('returning_rmw', ('acquire', 'release', 'acq_rel', 'seq_cst')),
                                 ('exchange', ('acq_rel', ))):
                for order in orders:
                    yield one(kind, order, scope)
            yield one('cas', 'acq_rel', scope, failure='acquire')


def all_operations():
    yield from atomics()
    yield from forms()
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
#define AT(TYPE, DWORD) (*(global TYPE *)(buffer + DWORD))
#define KERNEL(NAME, TYPE, OPERATION) \\
  kernel __attribute__((reqd_work_group_size(256, 1, 1))) void NAME(global struct lane *lanes) {{ \\
    local uint workgroup_memory[{SHARED_DWORDS}]; \\
    TYPE x = 0; \\
    uint i = lanes[__builtin_amdgcn_workitem_id_x()].m[{BUFFER_AT['select']}] & 255; \\
    global uint *buffer = lanes[i].m; \\
    local uint *shared = workgroup_memory + i; \\
    TYPE a = AT(TYPE, {BUFFER_AT['before_load']}); \\
    AT(TYPE, {BUFFER_AT['before_store']}) = i; \\
    uint b = shared[{SHARED_AT['before_load']}]; \\
    shared[{SHARED_AT['before_store']}] = i; \\
    OPERATION; \\
    TYPE c = AT(TYPE, {BUFFER_AT['after_load']}); \\
    AT(TYPE, {BUFFER_AT['after_store']}) = i; \\
    uint d = shared[{SHARED_AT['after_load']}]; \\
    shared[{SHARED_AT['after_store']}] = i; \\
    global uint *results = buffer + {BUFFER_AT['results']}; \\
    buffer = results; \\
    AT(TYPE, 0) = a; results[8] = b; AT(TYPE, 16) = c; results[24] = d; AT(TYPE, 32) = x; \\
  }}
"""
OPENCL_TYPES = {8: 'uchar', 16: 'ushort', 32: 'uint', 64: 'ulong'}


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
    kind = OPENCL_TYPES[operation.bits]
    plain = f'({qualifier}{space} {kind} *)&{variable}[{at["operation"]}]'
    atomic = f'({qualifier}{space} atomic_{kind} *)&{variable}[{at["operation"]}]'
    if operation.kind == 'plain_load':
        return f'x = __builtin_nontemporal_load({plain})' if operation.flag == 'nontemporal' else f'x = *{plain}'
    if operation.kind == 'plain_store':
        return f'__builtin_nontemporal_store(({kind})i, {plain})' if operation.flag == 'nontemporal' else f'*{plain} = i'
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
    atomics_of_64_bits = '#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n'
    kernels = (f'KERNEL({op.name}, {OPENCL_TYPES[op.bits]}, {opencl_statement(op)})\n' for op in operations)
    return atomics_of_64_bits + OPENCL_HEAD + ''.join(kernels)


# ---- SPIR-V ----

SPIRV_HEAD = """\
OpCapability Shader
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Int64Atomics
OpCapability StorageBuffer8BitAccess
OpCapability StorageBuffer16BitAccess
OpCapability PhysicalStorageBufferAddresses
OpCapability VulkanMemoryModel
OpCapability VulkanMemoryModelDeviceScope
OpExtension "SPV_KHR_8bit_storage"
OpExtension "SPV_KHR_physical_storage_buffer"
OpExtension "SPV_KHR_vulkan_memory_model"
OpMemoryModel PhysicalStorageBuffer64 Vulkan
"""
SPIRV_DECORATIONS = """\
OpDecorate %id BuiltIn LocalInvocationId
OpMemberDecorate %push 0 Offset 0
OpDecorate %push Block
"""
SPIRV_TYPES = """\
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%type_8 = OpTypeInt 8 0
%type_16 = OpTypeInt 16 0
%type_64 = OpTypeInt 64 0
%uint3 = OpTypeVector %uint 3
%shared_dwords = OpConstant %uint {shared_dwords}
%shared_array = OpTypeArray %uint %shared_dwords
%pointer_shared_array = OpTypePointer Workgroup %shared_array
%pointer_shared = OpTypePointer Workgroup %uint
%pointer_input3 = OpTypePointer Input %uint3
%pointer_input = OpTypePointer Input %uint
%push = OpTypeStruct %type_64
%seven_64 = OpConstant %type_64 7
%pointer_push = OpTypePointer PushConstant %push
%pointer_push_address = OpTypePointer PushConstant %type_64
%workgroup_memory = OpVariable %pointer_shared_array Workgroup
%id = OpVariable %pointer_input3 Input
%address = OpVariable %pointer_push PushConstant
"""
# What a lane has in the buffer, in which accesses have so many bits. Members are in the order of BUFFER_AT, results last.
SPIRV_LANE_DECORATIONS = """\
OpDecorate %results_{bits} ArrayStride 32
OpDecorate %lanes_{bits} ArrayStride {stride}
OpDecorate %block_{bits} Block
OpMemberDecorate %block_{bits} 0 Offset 0
OpDecorate %buffer_{bits} DescriptorSet 0
OpDecorate %buffer_{bits} Binding 0
"""
SPIRV_LANE_TYPES = """\
%results_{bits} = OpTypeArray {type} %c{result_count}
%lane_{bits} = OpTypeStruct %uint {members} %results_{bits}
%lanes_{bits} = OpTypeRuntimeArray %lane_{bits}
%block_{bits} = OpTypeStruct %lanes_{bits}
%pointer_block_{bits} = OpTypePointer StorageBuffer %block_{bits}
%pointer_buffer_{bits} = OpTypePointer StorageBuffer {type}
%pointer_address_block_{bits} = OpTypePointer PhysicalStorageBuffer %block_{bits}
%pointer_address_{bits} = OpTypePointer PhysicalStorageBuffer {type}
%buffer_{bits} = OpVariable %pointer_block_{bits} StorageBuffer
"""
RESULT_COUNT = 6
PLACES = tuple(BUFFER_AT)


def spirv_type(bits):
    return '%uint' if bits == 32 else f'%type_{bits}'


def lane_decorations(bits):
    offsets = ''.join(f'OpMemberDecorate %lane_{bits} {i} Offset {dword * 4}\n' for i, dword in enumerate(BUFFER_AT.values()))
    return SPIRV_LANE_DECORATIONS.format(bits=bits, stride=LANE_DWORDS * 4) + offsets


def lane_types(bits):
    members = ' '.join([spirv_type(bits)] * (len(PLACES) - 2))
    return SPIRV_LANE_TYPES.format(bits=bits, type=spirv_type(bits), members=members, result_count=RESULT_COUNT)


class SpirvWriter:
    """One module with an entry point per operation."""

    def __init__(self):
        self.constants = set()
        self.functions = []

    def constant(self, value):
        self.constants.add(value)
        return f'%c{value}'

    def seven(self, bits):
        return self.constant(7) if bits == 32 else f'%seven_{bits}'

    def source(self, operations):
        for operation in operations:
            self.function(operation)
        self.constant(RESULT_COUNT)
        entries = [f'OpEntryPoint GLCompute %{op.name} "{op.name}" %id\n' for op in operations]
        modes = [f'OpExecutionMode %{op.name} LocalSize 256 1 1\n' for op in operations]
        types = SPIRV_TYPES.format(shared_dwords=SHARED_DWORDS)
        constants = [f'%c{value} = OpConstant %uint {value}\n' for value in sorted(self.constants)]
        widths = sorted({32} | {op.bits for op in operations})
        return SPIRV_HEAD + ''.join([*entries, *modes, SPIRV_DECORATIONS, *map(lane_decorations, widths), types, *constants,
                                     *map(lane_types, widths), *self.functions])

    def function(self, operation):
        out = []
        prefix = f'%{operation.name}_'
        bits, kind = operation.bits, spirv_type(operation.bits)
        storage = 'address' if operation.address else 'buffer'

        def emit(text):
            out.append(text + '\n')

        def buffer(name, index, place, result=None):
            member = self.constant(PLACES.index(place))
            element = '' if result is None else f' {self.constant(result)}'
            # What selects the lane is always a word.
            pointer = f'%pointer_{storage}_{32 if place == "select" else bits}'
            base = f'{prefix}base' if operation.address else f'%buffer_{bits}'
            emit(f'{prefix}{name}_p = OpAccessChain {pointer} {base} {self.constant(0)} {index} {member}{element}')
            return f'{prefix}{name}_p'

        def shared(name, dword):
            emit(f'{prefix}{name}_i = OpIAdd %uint {prefix}i {self.constant(dword)}')
            emit(f'{prefix}{name}_p = OpAccessChain %pointer_shared %workgroup_memory {prefix}{name}_i')
            return f'{prefix}{name}_p'

        def load(name, pointer, of, aligned=''):
            emit(f'{prefix}{name} = OpLoad {of} {pointer}{aligned}')

        def aligned(size):
            return f' Aligned {size // 8}' if operation.address else ''

        emit(f'%{operation.name} = OpFunction %void None %function')
        emit(f'{prefix}entry = OpLabel')
        if operation.address:
            emit(f'{prefix}push = OpAccessChain %pointer_push_address %address {self.constant(0)}')
            load('bits', f'{prefix}push', '%type_64')
            emit(f'{prefix}base = OpConvertUToPtr %pointer_address_block_{bits} {prefix}bits')
        emit(f'{prefix}id = OpAccessChain %pointer_input %id {self.constant(0)}')
        load('lane', f'{prefix}id', '%uint')
        load('select', buffer('select', f'{prefix}lane', 'select'), '%uint', aligned(32))
        emit(f'{prefix}i = OpBitwiseAnd %uint {prefix}select {self.constant(255)}')
        index = f'{prefix}i'
        stored = index
        if bits != 32:
            stored = f'{prefix}stored'
            emit(f'{stored} = OpUConvert {kind} {index}')
        load('a', buffer('a', index, 'before_load'), kind, aligned(bits))
        emit(f'OpStore {buffer("before", index, "before_store")} {stored}{aligned(bits)}')
        load('b', shared('b', SHARED_AT['before_load']), '%uint')
        emit(f'OpStore {shared("before_shared", SHARED_AT["before_store"])} {index}')
        pointer = None
        if not operation.is_fence:
            in_buffer = operation.memory == 'buffer'
            pointer = buffer('x', index, 'operation') if in_buffer else shared('x', SHARED_AT['operation'])
        emit(self.statement(operation, prefix + 'x', pointer, stored))
        load('c', buffer('c', index, 'after_load'), kind, aligned(bits))
        emit(f'OpStore {buffer("after", index, "after_store")} {stored}{aligned(bits)}')
        load('d', shared('d', SHARED_AT['after_load']), '%uint')
        emit(f'OpStore {shared("after_shared", SHARED_AT["after_store"])} {index}')
        emit(f'{prefix}seen_i = OpIAdd %uint {prefix}lane {self.constant(SHARED_AT["seen"])}')
        emit(f'{prefix}seen_p = OpAccessChain %pointer_shared %workgroup_memory {prefix}seen_i')
        load('e', f'{prefix}seen_p', '%uint')
        for i, value in enumerate('abcdex' if operation.returns else 'abcde'):
            result = buffer(f'result_{value}', index, 'results', i)
            what = f'{prefix}{value}'
            if value in 'bde' and bits != 32:
                what = f'{prefix}{value}_result'
                emit(f'{what} = OpUConvert {kind} {prefix}{value}')
            emit(f'OpStore {result} {what}{aligned(bits)}')
        emit('OpReturn')
        emit('OpFunctionEnd')
        self.functions.append(''.join(out))

    def statement(self, operation, result, pointer, value):
        scope, semantics = self.constant(SCOPES[operation.scope][2]), self.constant(operation.semantics)
        if operation.kind == 'fence':
            return f'OpMemoryBarrier {scope} {semantics}'
        if operation.kind == 'barrier':
            return f'OpControlBarrier {self.constant(SCOPES["workgroup"][2])} {scope} {semantics}'
        kind = spirv_type(operation.bits)
        bits = [{'volatile': 'Volatile', 'nontemporal': 'Nontemporal'}.get(operation.flag), 'Aligned' if operation.address else None]
        mask = '|'.join(filter(None, bits))
        operands = (f' {mask}' if mask else '') + (f' {operation.bits // 8}' if operation.address else '')
        if operation.kind == 'plain_load':
            return f'{result} = OpLoad {kind} {pointer}{operands}'
        if operation.kind == 'plain_store':
            return f'OpStore {pointer} {value}{operands}'
        where = f'{pointer} {scope} {semantics}'
        if operation.kind == 'load':
            return f'{result} = OpAtomicLoad {kind} {where}'
        if operation.kind == 'store':
            return f'OpAtomicStore {where} {value}'
        if operation.kind == 'cas':
            failure = self.constant(operation.semantics_of(operation.failure))
            return f'{result} = OpAtomicCompareExchange {kind} {where} {failure} {value} {self.seven(operation.bits)}'
        opcode = 'OpAtomicExchange' if operation.kind == 'exchange' else 'OpAtomicIAdd'
        return f'{result} = {opcode} {kind} {where} {value}'


def spirv_source(operations):
    return SpirvWriter().source(operations)
