/* SPDX-License-Identifier: MIT */
/**
 * @file device.h
 * The Spalt emulator as a device: memory at chosen device addresses, programs loaded once, dispatches with raw user
 * data, faults as data. This is what a driver builds on; emulator.h is a small layer above it that binds buffers by
 * (set, binding).
 *
 * An address space holds mappings of host memory and is shared by programs and devices. A program is the compute stage
 * of a PAL code object in an address space. A device runs dispatches one after another on its own host threads; a
 * driver makes one per queue.
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

/** Host memory at a device address. */
typedef struct spalt_mapping {
  size_t struct_size;
  uint64_t address;   /**< of the first byte, of any alignment; below 2^48 for what buffer descriptors describe */
  uint64_t size;      /**< above 0; accesses are checked against it to the byte */
  void* host;         /**< aligned to 8; owned by the caller */
  uint32_t read_only; /**< not 0: stores and atomics fault */
  const char* name;   /**< for messages about faults; copied; NULL: none */
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

/** Removes the mapping that begins at `address` and was added by spalt_address_space_map, else INVALID_ARGUMENT. */
SPALT_API spalt_result spalt_address_space_unmap(spalt_address_space* space, uint64_t address);

/* ---- programs ---- */

typedef struct spalt_program spalt_program;

typedef struct spalt_program_create_info {
  size_t struct_size;
  const void* elf; /**< a PAL code object (metadata 2.6 or 3.x) with a compute stage; not trusted, copied */
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
} spalt_program_info;

SPALT_API spalt_result spalt_program_get_info(const spalt_program* program, spalt_program_info* info);

/* ---- devices ---- */

typedef struct spalt_device spalt_device;

typedef struct spalt_device_create_info {
  size_t struct_size;
  spalt_address_space* address_space;
  /** The one target whose programs may run, such as "gfx1030"; NULL: each program runs as what it was made for. */
  const char* target;
  /** Host threads that run workgroups. 1: the thread that dispatches, and no other; n: n - 1 threads that start with
   * the device and end with it; 0: one for each processor; at most 256. Results of programs without races do not depend
   * on it. */
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
  uint64_t step_limit;         /**< instructions after which a wave counts as endless, a fault; 0: 100 million */
  /** Not 0: caches of the device are simulated, workgroups run side by side on one host thread, and memory accesses
   * happen in any order that the architecture allows, as `hierarchy_seed` decides. Slow; for programs about memory. */
  uint32_t memory_hierarchy;
  uint64_t hierarchy_seed;
} spalt_dispatch_info;

/** What a dispatch executed, over all waves of the workgroups that ended. */
typedef struct spalt_counters {
  size_t struct_size;
  uint64_t instructions;
  uint64_t salu, valu, smem, vmem_loads, vmem_stores, vmem_atomics, lds, branches, other;
  uint64_t lane_operations; /**< vector ALU instructions times active lanes */
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
  SPALT_FAULT_NEVER_ENDS = 12          /**< the step limit, or a wave that halts for ever */
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
