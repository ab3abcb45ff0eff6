/* SPDX-License-Identifier: MIT */
/**
 * @file emulator.h
 * The Spalt emulator for tools and tests: runs the compute program of a PAL ELF on the CPU, as strictly as the
 * architecture allows, on buffers that are bound by (set, binding). A small layer above device.h, which drivers use.
 *
 * It knows nothing of the compiler: it loads the ELF, reads its metadata and builds user data, tables and descriptors
 * as a PAL driver would. A program that does something illegal (an access outside any buffer, a read of a register
 * before its load has been waited for, a missing wait state, an unknown instruction, an endless loop) gives
 * SPALT_ERROR_EXECUTION and a diagnostic with workgroup, wave, pc and assembly.
 *
 * The conventions of spalt.h hold. One emulator handle must not be used by two threads at once.
 */
#ifndef SPALT_EMULATOR_H
#define SPALT_EMULATOR_H

#include "spalt/device.h"

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
SPALT_API spalt_result spalt_emulator_program(const spalt_emulator* emulator, spalt_program_info* info);

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
 * Where the layout has inline data, as many of the bytes as fit are copied into the table.
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

/** What later dispatches are looked at for, as spalt_device_set_debug says. */
SPALT_API spalt_result spalt_emulator_set_debug(spalt_emulator* emulator, const spalt_debug_info* info);

/** Why the last call on this handle failed: one sentence, empty after success. Lives until the next call. */
SPALT_API const char* spalt_emulator_diagnostic(const spalt_emulator* emulator);

/** The fault of the last call as data; of kind SPALT_FAULT_NONE when it was none. */
SPALT_API spalt_result spalt_emulator_fault(const spalt_emulator* emulator, spalt_fault* fault);

/** What the last dispatch executed. */
SPALT_API spalt_result spalt_emulator_counters(const spalt_emulator* emulator, spalt_counters* counters);

#ifdef __cplusplus
}
#endif
#endif
