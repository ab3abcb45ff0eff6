/* SPDX-License-Identifier: MIT */
/**
 * @file device.h
 * The Spalt emulator as a device: memory at chosen device addresses, programs loaded once, dispatches with raw user
 * data, faults as data. This is what a driver builds on; emulator.h is a small layer above it that binds buffers by
 * (set, binding).
 *
 * An address space holds mappings of host memory and is shared by programs and devices. A program is a compute or
 * graphics pipeline of a PAL code object in an address space. A device runs dispatches on its own host threads, one
 * after another or, where no barrier separates them, interleaved (spalt_device_run); a driver makes one per queue.
 *
 * Handles. Functions that create one write it only when they return SPALT_SUCCESS. Destroying a handle gives up the
 * caller's reference: an address space lives on until its last program and device are destroyed, and what a running
 * dispatch uses lives until it ends. NULL is ignored by functions that destroy.
 *
 * Threads. Every function may be called from any thread at any time, also on the same handle; only the call that
 * destroys a handle must be the last one on it. Dispatches on one device wait for each other, those on different
 * devices run side by side.
 *
 * Structs begin with `struct_size`, which the caller sets to their size, as spalt.h says. Sizes and offsets are bytes.
 * No exception leaves these functions; when memory runs out they return SPALT_ERROR_OUT_OF_MEMORY.
 */
#ifndef SPALT_DEVICE_H
#define SPALT_DEVICE_H

#include "spalt/spalt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Why a call failed: one sentence, zero-terminated, cut off where it does not fit; empty after success. */
typedef struct spalt_message {
  size_t struct_size;
  char text[504];
} spalt_message;

/* ---- memory ---- */

typedef struct spalt_address_space spalt_address_space;

SPALT_API spalt_result spalt_address_space_create(spalt_address_space** space);
SPALT_API void spalt_address_space_destroy(spalt_address_space* space);

/** Host memory at a device address, or addresses that are reserved for a resource but have no memory. */
typedef struct spalt_mapping {
  size_t struct_size;
  uint64_t address;   /**< of the first byte, of any alignment; below 2^48 for what buffer descriptors describe */
  uint64_t size;      /**< above 0; accesses are checked against it to the byte */
  void* host;         /**< aligned to 8; owned by the caller; NULL where not_resident says so */
  uint32_t read_only; /**< not 0: stores and atomics fault */
  const char* name;   /**< for messages about faults; copied; NULL: none */
  /** Not 0: simulated caches never hold any of it (spalt_run_info::memory_hierarchy), as if a driver had taken fresh
   * addresses for each use. For what a driver writes itself between dispatches, such as descriptor tables. */
  uint32_t uncached;
  /** Not 0: there is no memory, as in pages of a sparse resource that nothing is bound to. Vector loads and samples of
   * it give 0 and set the status that instructions with tfe return, stores and atomics are dropped, atomics return 0.
   * Scalar accesses fault: hardware's do not know such pages. An access to several components may lie in such a mapping
   * in part; those that have memory must be in one mapping. */
  uint32_t not_resident;
} spalt_mapping;

/**
 * Adds a mapping. Fails with SPALT_ERROR_INVALID_ARGUMENT when it overlaps another one, a program or the tables of a
 * device. Programs access the host memory in place; bytes between mappings belong to nobody, and an access that touches
 * one is a fault, also where two mappings touch. A driver that leaves unmapped bytes after each mapping catches
 * overruns.
 *
 * A dispatch sees the mappings that were there when it began, until it ends. The host memory must stay valid until the
 * mapping is removed and every dispatch that began before has ended. Adding or removing costs the logarithm of the
 * number of mappings and a move of those after it, plus a copy of the table when a dispatch runs.
 *
 * `message` may be NULL.
 */
SPALT_API spalt_result spalt_address_space_map(spalt_address_space* space, const spalt_mapping* mapping,
                                               spalt_message* message);

/**
 * Removes the mapping that begins at `address` and was added by spalt_address_space_map, else INVALID_ARGUMENT. Lines
 * of it that caches of a device hold are forgotten, and stores to it that are still under way are lost (see
 * keep_caches): nothing touches its host memory later, also where a new mapping takes the same place.
 */
SPALT_API spalt_result spalt_address_space_unmap(spalt_address_space* space, uint64_t address);

/* ---- programs ---- */

typedef struct spalt_program spalt_program;

typedef struct spalt_program_create_info {
  size_t struct_size;
  const void* elf; /**< a PAL code object (metadata 2.6 or 3.x); not trusted, copied */
  size_t elf_size;
  /**
   * Where its code begins, a multiple of 256; 0: the address space chooses a place. Programs reach their tables by
   * addresses of 32 bits, whose upper half they take from the program counter: code, descriptor tables and the tables
   * of the device (spalt_device_create_info) must lie in one window of 4 GiB. What is placed without an address lies in
   * the window at 0x7f0100000000.
   */
  uint64_t address;
  const char* name; /**< for messages about faults; copied; NULL: "code" */
} spalt_program_create_info;

/** Checks, maps (read-only) and decodes a program. `message` may be NULL. */
SPALT_API spalt_result spalt_program_create(spalt_address_space* space, const spalt_program_create_info* info,
                                            spalt_program** program, spalt_message* message);
SPALT_API void spalt_program_destroy(spalt_program* program);

/** What the metadata says, and where the code is. */
typedef struct spalt_program_info {
  size_t struct_size;
  const char* target; /**< such as "gfx1030"; lives as long as the program */
  uint64_t address;
  uint64_t code_bytes;
  uint32_t wave_size;
  uint32_t workgroup_size[3];
  uint32_t vgprs, sgprs;
  uint32_t lds_bytes;         /**< of a workgroup */
  uint32_t scratch_bytes;     /**< of a lane */
  uint32_t user_data_entries; /**< the highest entry that it reads, plus 1 */
  /** Not 0: of a graphics pipeline, for spalt_device_draw (draw.h). What is above then says of the vertex stage, what
   * follows of the pixel stage, 0 where there is none. */
  uint32_t graphics;
  uint32_t pixel_wave_size, pixel_vgprs, pixel_sgprs, pixel_scratch_bytes;
} spalt_program_info;

SPALT_API spalt_result spalt_program_get_info(const spalt_program* program, spalt_program_info* info);

/* ---- devices ---- */

typedef struct spalt_device spalt_device;

typedef struct spalt_device_create_info {
  size_t struct_size;
  spalt_address_space* address_space;
  /** The one target whose programs may run, such as "gfx1030"; NULL: each program runs as what it was made for. */
  const char* target;
  /** Host threads that run workgroups. 1: the thread that dispatches, and no other; n: up to n - 1 threads besides,
   * which start when a dispatch has workgroups for them and end with the device; 0: one for each processor; at most
   * 256. Results of programs without races do not depend on it. */
  uint32_t threads;
  /** Where the device keeps what the PAL ABI wants in memory: global table, spill table and grid dimensions. It takes
   * 192 KiB of addresses from here on, a multiple of 64 KiB in the window of the programs; 0: it chooses a place in the
   * default window. Scratch memory has addresses of its own, which the device chooses. */
  uint64_t table_address;
} spalt_device_create_info;

/** `message` may be NULL. */
SPALT_API spalt_result spalt_device_create(const spalt_device_create_info* info, spalt_device** device,
                                           spalt_message* message);
/** Nothing may run on the device any more: cancel and wait for the calls to return. */
SPALT_API void spalt_device_destroy(spalt_device* device);

/** Limits of user data; spalt_user_data_layout speaks of the same entries. */
#define SPALT_MAX_USER_DATA_ENTRIES 160

typedef struct spalt_dispatch_info {
  size_t struct_size;
  const spalt_program* program; /**< in the address space of the device */
  /** Entries 0 to user_data_count - 1, a dword each: the low halves of the addresses of descriptor tables, push
   * constants, whatever the program was compiled to find there. Those beyond are 0. The device puts them into registers
   * and into the spill table as the metadata says. */
  const uint32_t* user_data;
  uint32_t user_data_count; /**< at most SPALT_MAX_USER_DATA_ENTRIES */
  uint32_t
      first_workgroup[3]; /**< id of the first workgroup; what the program sees as their number does not count it */
  uint32_t workgroup_count[3]; /**< a 0 among them: nothing runs; ids must not pass 2^32 (y and z: 2^16 on gfx12) */
  /** Instructions after which a wave counts as endless, a fault; 0: 100 million. An s_sleep counts 100. */
  uint64_t step_limit;
  /** Not 0: caches of the device are simulated, workgroups run side by side on one host thread, and memory accesses
   * happen in any order that the architecture allows, as `hierarchy_seed` decides. Slow; for programs about memory. */
  uint32_t memory_hierarchy;
  uint64_t hierarchy_seed;
  /** With memory_hierarchy. 0: caches are empty before and after, and every store has arrived. Not 0: caches keep what
   * they hold and stores may stay under way, from one such dispatch or run of the device to the next, until
   * spalt_device_cache_operation says otherwise. A dispatch without it begins with everything written back and empty.
   */
  uint32_t keep_caches;
  /** Instructions of all waves of a workgroup together after which it counts as endless, an s_sleep counting 100:
   * bounds the time that a fault takes, whatever the size of the workgroup. Workgroups that run side by side on one
   * thread (memory_hierarchy, spalt_run_info::interleave) share it: so many without one of them ending. 0: no such
   * limit. */
  uint64_t workgroup_step_limit;
  /** Where samplers find border colours that they name by a number (spalt_sampler_info): 16 bytes each, four floats or
   * integers, from this address on. Read only by samples of border texels with such a sampler. */
  uint64_t border_colors;
} spalt_dispatch_info;

/** What a dispatch executed, over all waves of the workgroups that ended. */
typedef struct spalt_counters {
  size_t struct_size;
  uint64_t instructions;
  uint64_t salu, valu, smem, vmem_loads, vmem_stores, vmem_atomics, lds, branches, other;
  uint64_t lane_operations; /**< vector ALU instructions times active lanes */
  uint64_t invocations;     /**< lanes that waves began with: invocations of the shader */
} spalt_counters;

typedef enum spalt_fault_kind {
  SPALT_FAULT_NONE = 0,
  SPALT_FAULT_UNMAPPED = 1,            /**< an access that does not lie in one mapping */
  SPALT_FAULT_READ_ONLY = 2,           /**< a store or an atomic to a mapping that is read-only */
  SPALT_FAULT_MISALIGNED = 3,          /**< an access at an address that its kind cannot have */
  SPALT_FAULT_SCRATCH_BOUNDS = 4,      /**< an access to the scratch memory of another wave */
  SPALT_FAULT_LDS_BOUNDS = 5,          /**< outside the LDS of the workgroup; `address` is an offset into it */
  SPALT_FAULT_INVALID_INSTRUCTION = 6, /**< none, one that is not executed, or operands that it cannot have */
  SPALT_FAULT_INVALID_JUMP = 7,        /**< the program counter leaves the code or points into an instruction */
  SPALT_FAULT_REGISTER_BOUNDS = 8,     /**< an index leads to a register that the wave does not have */
  SPALT_FAULT_MISSING_WAIT = 9,        /**< a register is touched before what was loaded into it has arrived */
  SPALT_FAULT_HAZARD = 10,             /**< a rule for software is broken: wait states, clauses */
  SPALT_FAULT_BARRIER = 11,            /**< a barrier that cannot complete, or is used wrongly */
  SPALT_FAULT_NEVER_ENDS = 12,         /**< the step limit, or a wave that halts for ever */
  SPALT_FAULT_GRAPHICS = 13            /**< a rule of exports, attributes and what fixed functions are told */
} spalt_fault_kind;

typedef enum spalt_access {
  SPALT_ACCESS_NONE = 0, /**< the fault is about no access */
  SPALT_ACCESS_LOAD = 1,
  SPALT_ACCESS_STORE = 2,
  SPALT_ACCESS_ATOMIC = 3
} spalt_access;

#define SPALT_FAULT_NO_LANE UINT32_MAX

/** What ended a dispatch. What does not apply is 0 or empty. Texts are zero-terminated and cut off where they do not
 * fit. */
typedef struct spalt_fault {
  size_t struct_size;
  uint32_t kind;        /**< a spalt_fault_kind */
  uint32_t access;      /**< a spalt_access */
  uint64_t address;     /**< first byte of the access */
  uint64_t access_size; /**< bytes of the access, of one lane */
  uint32_t workgroup[3];
  uint32_t wave;                          /**< within the workgroup */
  uint32_t lane;                          /**< the first one at fault; SPALT_FAULT_NO_LANE: the whole wave */
  uint32_t pc;                            /**< byte offset of the instruction in the code of the program */
  uint64_t code_address;                  /**< device address of the instruction */
  uint64_t mapping_address, mapping_size; /**< the mapping that the access begins in or is nearest to; size 0: none */
  char mapping[80];                       /**< its name */
  char instruction[160];                  /**< assembly text */
  char message[512];                      /**< all of this as one sentence; for other failures than faults, too */
  uint32_t task;                          /**< of spalt_device_run: index of the task; else 0 */
  /** Of a draw: "vertex", "primitive" or "pixel", with the number of the wave or group in workgroup[0]. */
  char stage[16];
  uint32_t draw; /**< spalt_draw_info::draw_index */
} spalt_fault;

/**
 * Runs a compute grid and returns when it has ended. `counters` and `fault` may be NULL; both are written in every
 * case.
 *
 * SPALT_SUCCESS: all workgroups have run to their end. SPALT_ERROR_EXECUTION: the program did something illegal, which
 * `fault` describes; with several threads it is that of the first workgroup in grid order. Workgroups before it have
 * run, some after it maybe. SPALT_ERROR_CANCELLED, SPALT_STOPPED: spalt_device_cancel or the debugger ended it. Other
 * errors: nothing has run, and `fault->message` says why. In every case the device can be used again.
 */
SPALT_API spalt_result spalt_device_dispatch(spalt_device* device, const spalt_dispatch_info* info,
                                             spalt_counters* counters, spalt_fault* fault);

/**
 * One piece of work: a dispatch, or something that the caller does to memory itself, such as a copy or a fill. Of
 * `dispatch` and `host`, one is NULL.
 */
typedef struct spalt_device_task {
  /** Its members memory_hierarchy, hierarchy_seed and keep_caches do not count: the run has its own. */
  const spalt_dispatch_info* dispatch;
  /**
   * Reads and writes the host memory of mappings. It is called on the thread that called spalt_device_run, counts as
   * one workgroup that nothing interrupts, and must neither throw nor call functions of the device other than
   * spalt_device_cancel. In the memory hierarchy mode it is a copy engine or a command processor: it sees what the L2
   * holds, not what is in the caches above it or under way to it, and these caches do not see what it writes.
   */
  void (*host)(void* user);
  void* user;
  spalt_counters* counters; /**< what the dispatch executed; written in every case; may be NULL */
} spalt_device_task;

/** Work that no barrier separates. */
typedef struct spalt_run_info {
  size_t struct_size;
  const spalt_device_task* tasks;
  size_t task_count;
  size_t task_size; /**< bytes from one task to the next */
  /** 0: one task after another, exactly like separate dispatches. Not 0: in any order, as `seed` decides, on one host
   * thread: workgroups of all tasks run side by side, a few instructions of one after a few of another, any task may be
   * the first one or wait until all others have ended. Only workgroups of one task begin in the order of their ids. */
  uint32_t interleave;
  uint32_t
      memory_hierarchy; /**< as in spalt_dispatch_info; then all programs are for processors with the same caches */
  uint32_t keep_caches; /**< as in spalt_dispatch_info */
  uint64_t seed;        /**< of the order, and of the memory hierarchy */
} spalt_run_info;

/**
 * Runs all tasks and returns when they have ended. Between two calls lies an execution barrier; what a memory barrier
 * adds to it is spalt_device_cache_operation. Results of programs that are correctly synchronized do not depend on
 * `interleave`, `seed` and `memory_hierarchy`.
 *
 * Results are those of spalt_device_dispatch. `fault`, which may be NULL and is written in every case, names the task
 * that failed. What has begun of other tasks stays as it is, and later ones do not run.
 */
SPALT_API spalt_result spalt_device_run(spalt_device* device, const spalt_run_info* info, spalt_fault* fault);

/**
 * What a driver asks the caches for, one or more. Accesses of a Vulkan barrier want (docs/emulator.md, "Caches between
 * dispatches", has the whole table):
 * - source: any write of a shader: COMPLETE_STORES; of the host: INVALIDATE_L2;
 * - destination: shader reads and writes of storage buffers: INVALIDATE_VECTOR | INVALIDATE_SCALAR; uniform reads: the
 *   same; indirect and transfer: nothing; host: WRITE_BACK_L2.
 */
typedef enum spalt_cache_operation {
  /** Waits until every store and atomic that is under way has arrived in the L2. */
  SPALT_CACHE_COMPLETE_STORES = 1,
  /** Empties the caches that vector loads go through: L1 or L0 of compute units, L1 of shader arrays. */
  SPALT_CACHE_INVALIDATE_VECTOR = 2,
  /** Empties the caches that scalar loads go through: the scalar caches and the L1 of shader arrays. */
  SPALT_CACHE_INVALIDATE_SCALAR = 4,
  /** Host memory gets what the L2 holds. The simulated L2 is host memory, so this does nothing yet. */
  SPALT_CACHE_WRITE_BACK_L2 = 8,
  /** The L2 gets what host memory holds. The simulated L2 is host memory, so this does nothing yet. */
  SPALT_CACHE_INVALIDATE_L2 = 16,
  /** Everything: what the beginning and the end of a submission want. */
  SPALT_CACHE_ALL = 31
} spalt_cache_operation;

/**
 * Does what `operations`, of spalt_cache_operation, say to the caches that dispatches with keep_caches leave behind, in
 * the order of the list, after what runs on the device has ended. INVALID_ARGUMENT: there is no such operation.
 */
SPALT_API spalt_result spalt_device_cache_operation(spalt_device* device, uint32_t operations);

/**
 * Ends what runs on the device within some thousand instructions of each wave, and everything that is dispatched later
 * at once, with SPALT_ERROR_CANCELLED, until spalt_device_resume.
 */
SPALT_API void spalt_device_cancel(spalt_device* device);
SPALT_API void spalt_device_resume(spalt_device* device);

/* ---- looking at dispatches ---- */

/**
 * Called with one or more whole lines: before an instruction, where a wave is and its assembly; after it, each register
 * that it changed, indented. Registers that a load writes change at the instruction that waits for them. The text lives
 * for the call only.
 */
typedef void (*spalt_trace_callback)(void* user, const char* text);

typedef enum spalt_stop_reason {
  SPALT_STOP_STEP = 0,       /**< before an instruction, asked for by SPALT_STOP_ACTION_STEP or stop_at_start */
  SPALT_STOP_BREAKPOINT = 1, /**< before an instruction at one of the breakpoints */
  SPALT_STOP_WATCHPOINT = 2  /**< after an instruction that changed a watched register */
} spalt_stop_reason;

typedef enum spalt_stop_action {
  SPALT_STOP_ACTION_CONTINUE = 0,
  SPALT_STOP_ACTION_STEP = 1, /**< stop again before the next instruction, of whatever wave */
  SPALT_STOP_ACTION_END = 2   /**< end the dispatch, which gives SPALT_STOPPED */
} spalt_stop_action;

/** A wave that stands still; valid during the callback only. */
typedef struct spalt_stopped_wave spalt_stopped_wave;

typedef struct spalt_stop {
  size_t struct_size;
  uint32_t reason; /**< a spalt_stop_reason */
  uint32_t workgroup[3];
  uint32_t wave; /**< within the workgroup */
  uint32_t wave_size;
  uint32_t pc;      /**< byte offset of the instruction in the code */
  const char* text; /**< position and assembly; for a watchpoint also what changed */
  const spalt_stopped_wave* state;
} spalt_stop;

/** Returns a spalt_stop_action. */
typedef uint32_t (*spalt_stop_callback)(void* user, const spalt_stop* stop);

typedef struct spalt_debug_info {
  size_t struct_size;
  spalt_trace_callback trace;  /**< NULL: no trace */
  spalt_stop_callback stop;    /**< NULL: no stops */
  void* user;                  /**< for both callbacks */
  uint32_t stop_at_start;      /**< stop before the first instruction */
  const uint32_t* breakpoints; /**< byte offsets in the code; copied */
  size_t breakpoint_count;
  const char* const* watchpoints; /**< register names: s5, v3, vcc_lo, exec_hi, m0, ttmp7, scc; copied */
  size_t watchpoint_count;
} spalt_debug_info;

/**
 * What later dispatches are looked at for; `info` NULL: nothing, which costs nothing. Otherwise they use one host
 * thread, the one that dispatches, and the order of everything is the same in every run. Callbacks must not call
 * functions of the device other than spalt_device_cancel. `message` may be NULL.
 */
SPALT_API spalt_result spalt_device_set_debug(spalt_device* device, const spalt_debug_info* info,
                                              spalt_message* message);

/** A 32-bit register of a stopped wave; `lane` counts for vector registers. */
SPALT_API spalt_result spalt_stopped_wave_read(const spalt_stopped_wave* wave, const char* name, uint32_t lane,
                                               uint32_t* value);

#ifdef __cplusplus
}
#endif
#endif
