/* SPDX-License-Identifier: MIT */
/**
 * What machine code costs, without the machine: cycles, by a model that the project's documentation describes with its
 * sources (docs/cycles.md). The code may come from any compiler. The numbers are for comparing code with code; they are
 * no prediction of a time.
 */
#ifndef SPALT_ESTIMATE_H
#define SPALT_ESTIMATE_H

#include "spalt/spalt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What executes instructions. Each SIMD has the first four itself; the others belong to a compute unit. */
typedef enum spalt_unit {
  SPALT_UNIT_SEQUENCER = 0, /**< waits, branches, messages; as a bound: no unit, but the latency of the waves */
  SPALT_UNIT_SCALAR = 1,
  SPALT_UNIT_VECTOR = 2,
  SPALT_UNIT_TRANSCENDENTAL = 3,
  SPALT_UNIT_SCALAR_MEMORY = 4,
  SPALT_UNIT_VECTOR_MEMORY = 5,
  SPALT_UNIT_LDS = 6,
  SPALT_UNIT_EXPORT = 7,
  SPALT_UNIT_COUNT = 8
} spalt_unit;

/** Why an instruction issues later than it could. */
typedef enum spalt_stall {
  SPALT_STALL_NONE = 0,
  SPALT_STALL_RESULT = 1, /**< a result of arithmetic is not there yet */
  SPALT_STALL_UNIT = 2,   /**< its unit takes nothing new yet */
  SPALT_STALL_MEMORY = 3, /**< it waits for memory or exports */
  SPALT_STALL_COUNT = 4
} spalt_stall;

/** A short lower-case name, such as "vector memory" or "result"; "" for other numbers. */
SPALT_API const char* spalt_unit_name(spalt_unit unit);
SPALT_API const char* spalt_stall_name(spalt_stall stall);

typedef struct spalt_estimate_info {
  size_t struct_size;
  const char* target; /**< processor name for bare code; NULL: `code` is an AMDGPU ELF, which says it */
  const void* code;
  size_t size;        /**< bytes */
  uint32_t wave_size; /**< 32 or 64; 0: what the ELF says, else the target's default */
  /* How many waves run at once follows from these. 0: what the ELF says; else registers are counted in the code. */
  uint32_t vgprs, sgprs;
  uint32_t lds_bytes;     /**< of a workgroup; 0: what the ELF says, else none */
  uint32_t invocations;   /**< in a workgroup; 0: what the ELF says, else one wave */
  uint32_t ignore_counts; /**< not 0: loops whose code says how often they go round are taken as all others */
} spalt_estimate_info;

/** One program, cycles of the shader clock. Sums over its blocks count each as often as a wave comes to it. */
typedef struct spalt_estimated_program {
  size_t struct_size;
  const char* name; /**< of its entry point; "" for bare code. Lives as long as the estimate, as all texts here */
  const char* target;
  uint32_t wave_size;
  uint32_t vgprs, sgprs, lds_bytes, invocations;
  uint32_t waves;                   /**< that a SIMD holds at once */
  double instructions;              /**< executed by a wave */
  double issuing;                   /**< cycles in which a wave issues */
  double latency;                   /**< cycles from start to end of a wave that is alone on its SIMD */
  double stalls[SPALT_STALL_COUNT]; /**< of these, by reason */
  double busy[SPALT_UNIT_COUNT];    /**< cycles of each unit; for a shared one times the SIMDs that share it */
  double throughput;                /**< cycles between the ends of two waves of a SIMD that is full of them */
  double throughput_per_64; /**< the same for 64 invocations: to compare wave sizes; lanes without one are lost */
  uint32_t bound;           /**< the spalt_unit that decides throughput */
  uint32_t block_count, instruction_count;
  uint32_t loop_count, counted_loop_count; /**< of the latter the code says how often they go round */
} spalt_estimated_program;

/** A basic block. A block in a loop is timed as in the second and later iterations. */
typedef struct spalt_estimated_block {
  size_t struct_size;
  uint32_t first_instruction, instruction_count;
  uint32_t address; /**< bytes from the program's start */
  uint32_t loop_depth;
  double times;       /**< that a wave executes it */
  double times_taken; /**< and leaves it with a jump to `target_block`, which costs `branch_cycles` each time */
  uint32_t next_block, target_block; /**< UINT32_MAX: none */
  uint32_t branch_cycles;
  uint32_t cycles, issuing; /**< of one execution */
  uint32_t stalls[SPALT_STALL_COUNT];
  uint32_t busy[SPALT_UNIT_COUNT];
} spalt_estimated_block;

typedef struct spalt_estimated_instruction {
  size_t struct_size;
  const char* text;                /**< in LLVM's dialect; lives until the next call with the same estimate */
  uint32_t address;                /**< bytes from the program's start */
  uint32_t cycle;                  /**< of the issue, from the start of the block */
  uint32_t stalled;                /**< cycles before it */
  uint32_t stall;                  /**< the spalt_stall that ended last of them */
  uint32_t unit;                   /**< the spalt_unit that executes it */
  uint32_t live_vgprs, live_sgprs; /**< registers that hold something still to be read, before the instruction */
} spalt_estimated_instruction;

/** May be used from one thread at a time. */
typedef struct spalt_estimate spalt_estimate;

/**
 * Estimates each program of an ELF (the functions of its code, in the order of their addresses), or bare code. A handle
 * is returned for every result code except INVALID_ARGUMENT for a malformed info and OUT_OF_MEMORY, so that the message
 * can be read; the caller destroys it.
 */
SPALT_API spalt_result spalt_estimate_code(const spalt_estimate_info* info, spalt_estimate** estimate);
SPALT_API void spalt_estimate_destroy(spalt_estimate* estimate);
/** Why it failed, or "". */
SPALT_API const char* spalt_estimate_message(const spalt_estimate* estimate);

SPALT_API size_t spalt_estimate_program_count(const spalt_estimate* estimate);
/** INVALID_ARGUMENT for numbers that are too high. */
SPALT_API spalt_result spalt_estimate_get_program(const spalt_estimate* estimate, size_t program,
                                                  spalt_estimated_program* out);
SPALT_API spalt_result spalt_estimate_get_block(const spalt_estimate* estimate, size_t program, size_t block,
                                                spalt_estimated_block* out);
SPALT_API spalt_result spalt_estimate_get_instruction(spalt_estimate* estimate, size_t program, size_t instruction,
                                                      spalt_estimated_instruction* out);

#ifdef __cplusplus
}
#endif

#endif
