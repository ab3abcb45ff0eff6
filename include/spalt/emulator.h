/* SPDX-License-Identifier: MIT */
/**
 * @file emulator.h
 * The Spalt emulator: runs the compute program of a PAL ELF on the CPU, as strictly as the architecture allows.
 *
 * It knows nothing of the compiler: it loads the ELF, reads its metadata and builds user data, tables and descriptors
 * as a PAL driver would. A program that does something illegal (an access outside any allocation, a read of a register
 * before its load has been waited for, a missing wait state, an unknown instruction, an endless loop) gives
 * SPALT_ERROR_EXECUTION and a diagnostic with workgroup, wave, pc and assembly.
 *
 * The conventions of spalt.h hold. One emulator handle must not be used by two threads at once.
 */
#ifndef SPALT_EMULATOR_H
#define SPALT_EMULATOR_H

#include "spalt/spalt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spalt_emulator spalt_emulator;

SPALT_API spalt_result spalt_emulator_create(spalt_emulator** emulator);
/** NULL is ignored. */
SPALT_API void spalt_emulator_destroy(spalt_emulator* emulator);

/** Loads a PAL code object (metadata 2.6 or 3.x), replacing an earlier one. The bytes are copied and not trusted. */
SPALT_API spalt_result spalt_emulator_load(spalt_emulator* emulator, const void* elf, size_t size);

/** What the metadata of the loaded code object says. */
typedef struct spalt_emulator_program_info {
  size_t struct_size;
  uint32_t wave_size;
  uint32_t workgroup_size[3];
  uint32_t vgprs, sgprs;
  uint32_t lds_bytes;
  uint32_t scratch_bytes; /**< per lane */
} spalt_emulator_program_info;

SPALT_API spalt_result spalt_emulator_program(const spalt_emulator* emulator, spalt_emulator_program_info* info);

/**
 * Where the program expects its descriptors and push constants; copied. NULL goes back to the default layout, which is
 * what the compiler derives from a module that uses exactly the buffers set here: push constants from entry 0 on, one
 * table per set in set order, 16 bytes per array element in binding order.
 */
SPALT_API spalt_result spalt_emulator_set_layout(spalt_emulator* emulator, const spalt_user_data_layout* layout);

/**
 * Binds caller memory to (set, binding, array element). The program reads and writes it in place, with `size` as the
 * exact bound; memory that is not aligned to 8 bytes is copied in and out. size 0 binds a null descriptor. A later call
 * with the same place replaces the buffer. What is not bound is a null descriptor: loads give 0, stores do nothing.
 */
SPALT_API spalt_result spalt_emulator_set_buffer(spalt_emulator* emulator, uint32_t set, uint32_t binding,
                                                 uint32_t element, void* data, size_t size);

/** Push constants from byte 0 on; copied. `size` is rounded up to dwords with zeros. */
SPALT_API spalt_result spalt_emulator_set_push_constants(spalt_emulator* emulator, const void* data, size_t size);

typedef struct spalt_emulator_dispatch_info {
  size_t struct_size;
  uint32_t grid[3]; /**< workgroups; not above what the code was compiled for (spalt_compile_info) */
  uint32_t threads; /**< host threads; 0: one per processor. Results of a program without races do not depend on it */
  uint64_t step_limit; /**< instructions per wave before it counts as endless; 0: a default of 100 million */
  /** Not 0: caches of the device are simulated, workgroups run side by side on one host thread, and memory accesses
   * happen in any order that the architecture allows, as `hierarchy_seed` decides. Slow; for programs about memory. */
  uint32_t memory_hierarchy;
  uint64_t hierarchy_seed;
} spalt_emulator_dispatch_info;

SPALT_API spalt_result spalt_emulator_dispatch(spalt_emulator* emulator, const spalt_emulator_dispatch_info* info);

/* ---- looking at a dispatch ---- */

/**
 * Called with one or more whole lines: before an instruction, where a wave is and its assembly; after it, each register
 * that it changed, indented. Registers that a load writes change at the instruction that waits for them. The text lives
 * for the call only.
 */
typedef void (*spalt_emulator_trace_callback)(void* user, const char* text);

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
typedef struct spalt_emulator_wave spalt_emulator_wave;

typedef struct spalt_emulator_stop {
  size_t struct_size;
  uint32_t reason; /**< a spalt_stop_reason */
  uint32_t workgroup[3];
  uint32_t wave; /**< within the workgroup */
  uint32_t wave_size;
  uint32_t pc;      /**< byte offset of the instruction in the code */
  const char* text; /**< position and assembly; for a watchpoint also what changed */
  const spalt_emulator_wave* state;
} spalt_emulator_stop;

/** Returns a spalt_stop_action. */
typedef uint32_t (*spalt_emulator_stop_callback)(void* user, const spalt_emulator_stop* stop);

typedef struct spalt_emulator_debug_info {
  size_t struct_size;
  spalt_emulator_trace_callback trace; /**< NULL: no trace */
  spalt_emulator_stop_callback stop;   /**< NULL: no stops */
  void* user;                          /**< for both callbacks */
  uint32_t stop_at_start;              /**< stop before the first instruction */
  const uint32_t* breakpoints;         /**< byte offsets in the code; copied */
  size_t breakpoint_count;
  const char* const* watchpoints; /**< register names: s5, v3, vcc_lo, exec_hi, m0, ttmp7, scc; copied */
  size_t watchpoint_count;
} spalt_emulator_debug_info;

/**
 * What later dispatches are looked at for; NULL: nothing, which costs nothing. Otherwise they use one host thread, and
 * the order of everything is the same in every run.
 */
SPALT_API spalt_result spalt_emulator_set_debug(spalt_emulator* emulator, const spalt_emulator_debug_info* info);

/** A 32-bit register of a stopped wave; `lane` counts for vector registers. */
SPALT_API spalt_result spalt_emulator_read_register(const spalt_emulator_wave* wave, const char* name, uint32_t lane,
                                                    uint32_t* value);

/** Why the last call on this handle failed: one sentence, empty after success. Lives until the next call. */
SPALT_API const char* spalt_emulator_diagnostic(const spalt_emulator* emulator);

/** Instructions that the last dispatch executed, over all waves. */
typedef struct spalt_emulator_statistics_info {
  size_t struct_size;
  uint64_t instructions;
  uint64_t salu, valu, smem, vmem_loads, vmem_stores, vmem_atomics, lds, branches, other;
  uint64_t lane_operations; /**< vector ALU instructions times active lanes */
} spalt_emulator_statistics_info;

SPALT_API spalt_result spalt_emulator_statistics(const spalt_emulator* emulator, spalt_emulator_statistics_info* info);

#ifdef __cplusplus
}
#endif
#endif
