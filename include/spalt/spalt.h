/* SPDX-License-Identifier: MIT */
/**
 * @file spalt.h
 * The Spalt compiler: SPIR-V words in, AMDGPU ELF with PAL metadata out.
 *
 * Conventions
 * - Every struct starts with `struct_size`, set by the caller to sizeof(the struct) of the header it was built with;
 * fields the library knows but the caller's struct is too small for take their zero default.
 * - Functions return a spalt_result. On failure no output is written except where said; details are in the diagnostics
 * of the compilation.
 * - Strings are UTF-8 and NUL terminated. Memory returned through a handle lives until the handle is destroyed.
 * - No global state: handles may be used from any thread; one compiler may run any number of compilations at the same
 * time; one compilation handle must not be used by two threads at once. The same input gives the same bytes on every
 * machine.
 * - Input is not trusted: any words give a result code, never a crash.
 */
#ifndef SPALT_SPALT_H
#define SPALT_SPALT_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define SPALT_API
#else
#define SPALT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SPALT_VERSION_MAJOR 0
#define SPALT_VERSION_MINOR 1
#define SPALT_VERSION_PATCH 0

typedef enum spalt_result {
  SPALT_SUCCESS = 0,
  SPALT_STOPPED = 1,                 /**< `stop_after` was reached; dumps are available, no ELF */
  SPALT_ERROR_INVALID_ARGUMENT = -1, /**< the caller's structs contradict themselves or this header */
  SPALT_ERROR_INVALID_INPUT = -2,    /**< malformed SPIR-V, ELF or text */
  SPALT_ERROR_UNSUPPORTED = -3,      /**< valid input that needs something not supported yet; the diagnostic names it */
  SPALT_ERROR_LIMIT_EXCEEDED = -4,   /**< valid input beyond a limit; the diagnostic names it */
  SPALT_ERROR_OUT_OF_MEMORY = -5,
  SPALT_ERROR_INTERNAL = -6, /**< a bug in Spalt; please report the input */
  SPALT_ERROR_EXECUTION = -7 /**< emulator only: the program did something illegal */
} spalt_result;

/** "success", "invalid input", ... Never NULL. */
SPALT_API const char* spalt_result_string(spalt_result result);

/**
 * Memory for what outlives a call: handles, ELF bytes and texts. Temporary memory of a running compilation comes from
 * the C++ heap. `allocate` returns NULL on failure, which becomes SPALT_ERROR_OUT_OF_MEMORY.
 */
typedef struct spalt_allocation_callbacks {
  size_t struct_size;
  void* user;
  void* (*allocate)(void* user, size_t size, size_t alignment);
  void (*release)(void* user, void* memory);
} spalt_allocation_callbacks;

/* ---- targets ---- */

SPALT_API size_t spalt_target_count(void);
/** "gfx1030"; NULL when index is out of range. */
SPALT_API const char* spalt_target_name(size_t index);
/** Whether programs can be compiled for the target with that wave size (32 or 64) and, if wgp_mode is not 0, for
   workgroups that spread over a work-group processor. 0 or 1. */
SPALT_API int spalt_target_supports(const char* target, uint32_t wave_size, uint32_t wgp_mode);

/* ---- compiler ---- */

typedef struct spalt_compiler spalt_compiler;

typedef struct spalt_compiler_create_info {
  size_t struct_size;
  const char* target;                           /**< processor name */
  const spalt_allocation_callbacks* allocation; /**< NULL: malloc and free; copied */
} spalt_compiler_create_info;

SPALT_API spalt_result spalt_compiler_create(const spalt_compiler_create_info* info, spalt_compiler** compiler);
/** All compilations of the compiler must be destroyed before. NULL is ignored. */
SPALT_API void spalt_compiler_destroy(spalt_compiler* compiler);

/* ---- what to compile ---- */

typedef struct spalt_specialization {
  uint32_t constant_id; /**< SpecId decoration */
  uint32_t value;       /**< bit pattern; 0 or 1 for booleans */
} spalt_specialization;

/** Where the driver puts the descriptors of one binding: 16-byte buffer descriptors in a table in memory. */
typedef struct spalt_binding_location {
  uint32_t set;
  uint32_t binding;
  uint32_t count;           /**< array elements */
  uint32_t user_data_entry; /**< entry that holds the low 32 bits of the table's address */
  uint32_t offset;          /**< bytes from the start of the table to element 0 */
  uint32_t stride;          /**< bytes between elements */
} spalt_binding_location;

/** The user-data layout of the pipeline: terms of the PAL pipeline ABI. */
typedef struct spalt_user_data_layout {
  size_t struct_size;
  const spalt_binding_location* bindings;
  size_t binding_count;
  uint32_t push_constant_entry;  /**< first user-data entry of the push constants, one entry per 4 bytes */
  uint32_t push_constant_dwords; /**< entries reserved for them */
} spalt_user_data_layout;

/** Called with the text after a pass; `pass` and `text` live for the call only. */
typedef void (*spalt_dump_callback)(void* user, const char* pass, const char* text);

typedef struct spalt_compile_info {
  size_t struct_size;
  const uint32_t* words; /**< SPIR-V of one module, in the host's byte order or swapped */
  size_t word_count;
  const char* entry_point; /**< NULL: the only GLCompute entry point */
  const spalt_specialization* specializations;
  size_t specialization_count;
  const spalt_user_data_layout* layout;  /**< NULL: derived from the module (spalt_compilation_layout tells it) */
  uint32_t wave_size;                    /**< 32 or 64; 0: the target's default */
  uint32_t wgp_mode;                     /**< 0: workgroup on one CU; 1: on a work-group processor */
  uint32_t pal_abi_major, pal_abi_minor; /**< metadata version: 2.6 up to GFX11, 3.0 or 3.6 from
                                            GFX10 on; 0.0: the target's default, 2.6 on GFX9, else 3.0 */
  uint32_t want_assembly;                /**< keep a disassembly (spalt_compilation_assembly) */
  uint32_t verify;                       /**< run all verifiers and the allocation checker between the passes */
  const char* stop_after;                /**< pass name; NULL: compile to the end */
  const char* dump_after;                /**< pass name or "all"; NULL: no dumps */
  spalt_dump_callback dump;
  void* dump_user;
  /** Workgroups of a dispatch in each dimension, at most; the code may rely on it. 0: 65535, which is the least that
   * Vulkan asks for (maxComputeWorkGroupCount) and what drivers for this hardware commonly advertise. */
  uint32_t max_workgroup_count[3];
} spalt_compile_info;

/* ---- results ---- */

typedef struct spalt_compilation spalt_compilation;

/**
 * Compiles one compute entry point. A handle is returned for every result code except INVALID_ARGUMENT with a NULL
 * output pointer and OUT_OF_MEMORY, so that diagnostics can be read; the caller destroys it.
 */
SPALT_API spalt_result spalt_compile(spalt_compiler* compiler, const spalt_compile_info* info,
                                     spalt_compilation** compilation);
SPALT_API void spalt_compilation_destroy(spalt_compilation* compilation);

/** The ELF; NULL and 0 unless the compile succeeded. */
SPALT_API const void* spalt_compilation_elf(const spalt_compilation* compilation, size_t* size);
/** Assembly of the code in LLVM's dialect; NULL unless asked for. */
SPALT_API const char* spalt_compilation_assembly(const spalt_compilation* compilation);

typedef struct spalt_diagnostic {
  size_t struct_size;
  const char* message;     /**< one sentence */
  uint32_t word_offset;    /**< in the SPIR-V words; UINT32_MAX when there is none */
  const char* source_file; /**< from OpLine; NULL when unknown */
  uint32_t source_line;    /**< 0 when unknown */
  uint32_t source_column;  /**< of assembler text; 0 when unknown */
} spalt_diagnostic;

SPALT_API size_t spalt_compilation_diagnostic_count(const spalt_compilation* compilation);
SPALT_API spalt_result spalt_compilation_diagnostic(const spalt_compilation* compilation, size_t index,
                                                    spalt_diagnostic* diagnostic);

typedef struct spalt_statistics {
  size_t struct_size;
  uint32_t instructions;
  uint32_t code_bytes;
  uint32_t sgprs; /**< highest used + 1, vcc not counted */
  uint32_t vgprs;
  uint32_t spilled_sgprs, spilled_vgprs; /**< values, not dwords */
  uint32_t lds_bytes;
  uint32_t scratch_bytes; /**< per lane */
  uint32_t wave_size;
  uint32_t waves_per_simd; /**< occupancy that registers and LDS allow */
  uint32_t workgroup_size[3];
} spalt_statistics;

SPALT_API spalt_result spalt_compilation_statistics(const spalt_compilation* compilation, spalt_statistics* statistics);

/** Wall time of one stage of docs/architecture.md, in nanoseconds. */
typedef struct spalt_stage_time {
  const char* stage;
  uint64_t nanoseconds;
} spalt_stage_time;

SPALT_API size_t spalt_compilation_stage_count(const spalt_compilation* compilation);
SPALT_API spalt_result spalt_compilation_stage_time(const spalt_compilation* compilation, size_t index,
                                                    spalt_stage_time* time);

/** The layout that the code expects: the caller's, or the derived one. Pointers live as long as the compilation. */
SPALT_API spalt_result spalt_compilation_layout(const spalt_compilation* compilation, spalt_user_data_layout* layout);

/* ---- tools ---- */

/** A text owned by the library; release with spalt_text_destroy. */
typedef struct spalt_text spalt_text;
SPALT_API const char* spalt_text_string(const spalt_text* text);
SPALT_API void spalt_text_destroy(spalt_text* text);

/**
 * Disassembles the code of an AMDGPU ELF: a PAL code object, or the .text of any other. LLVM's dialect, one instruction
 * per line with its address and words in a comment. Assembling the text again gives the same words: those that are no
 * instruction, or that the assembler would write differently, are shown as .long. On failure `text` holds the reason.
 */
SPALT_API spalt_result spalt_disassemble(const void* elf, size_t size, spalt_text** text);

typedef struct spalt_disassemble_info {
  size_t struct_size;
  const char* target; /**< processor name for bare code; NULL: `code` is an ELF, which says it */
  const void* code;
  size_t size;        /**< bytes */
  uint32_t wave_size; /**< 32 or 64: registers in a lane mask. 0: what the ELF says, else the target's default */
} spalt_disassemble_info;

/** As spalt_disassemble, for bare code as well. */
SPALT_API spalt_result spalt_disassemble_code(const spalt_disassemble_info* info, spalt_text** text);

typedef enum spalt_code_format {
  SPALT_CODE_RAW = 0, /**< the instructions' bytes */
  SPALT_CODE_ELF = 1  /**< a relocatable ELF with them as .text and the labels as symbols; no metadata */
} spalt_code_format;

typedef struct spalt_assemble_info {
  size_t struct_size;
  const char* target;                           /**< processor name */
  const char* text;                             /**< assembler text in LLVM's dialect; need not be NUL terminated */
  size_t text_size;                             /**< bytes, at most 2^31 */
  uint32_t wave_size;                           /**< 32 or 64: registers in a lane mask; 0: the target's default */
  uint32_t format;                              /**< a spalt_code_format */
  const spalt_allocation_callbacks* allocation; /**< NULL: malloc and free; copied */
} spalt_assemble_info;

typedef struct spalt_assembly spalt_assembly;

/**
 * Assembles a text: instructions, labels and branches to them, `.long`, `.text`, `.globl`; comments start with `;` or
 * `//` or stand between slash-star and star-slash. An instruction without an encoding suffix (`_e32`, `_e64`, `_sdwa`,
 * `_dpp`) gets the shortest encoding that takes it. A handle is returned for every result code except INVALID_ARGUMENT
 * for a malformed info and OUT_OF_MEMORY, so that the diagnostic can be read; the caller destroys it.
 */
SPALT_API spalt_result spalt_assemble(const spalt_assemble_info* info, spalt_assembly** assembly);
/** NULL is ignored. */
SPALT_API void spalt_assembly_destroy(spalt_assembly* assembly);
/** The bytes; NULL and 0 unless the text was assembled. */
SPALT_API const void* spalt_assembly_code(const spalt_assembly* assembly, size_t* size);
/** What is wrong with the text: message, source_line and source_column. Fails when nothing is. */
SPALT_API spalt_result spalt_assembly_diagnostic(const spalt_assembly* assembly, spalt_diagnostic* diagnostic);

/* ---- PAL metadata ---- */

/** What the metadata note of a PAL code object says, and what loaders would not like about it. */
typedef struct spalt_metadata spalt_metadata;

/**
 * Reads the metadata note of an ELF, of this compiler or another, and checks it: types, ranges and required keys, and
 * what loaders assert about user data, registers, memory and entry points on the processor that the ELF names (metadata
 * versions 2 and 3 of the PAL pipeline ABI, gfx9 to gfx12). SPALT_SUCCESS: valid. SPALT_ERROR_INVALID_INPUT: it has
 * errors, which the findings name. A handle is returned for every result code except INVALID_ARGUMENT and
 * OUT_OF_MEMORY; the caller destroys it. Where there is no document to speak of, it has one finding and no texts.
 */
SPALT_API spalt_result spalt_metadata_read(const void* elf, size_t size, spalt_metadata** metadata);
/** NULL is ignored. */
SPALT_API void spalt_metadata_destroy(spalt_metadata* metadata);
/** The document for reading, register values and user-data codes explained; NULL when there is none. */
SPALT_API const char* spalt_metadata_text(const spalt_metadata* metadata);
/** The same as JSON: an object with target, valid, metadata, registers and findings; NULL when there is none. */
SPALT_API const char* spalt_metadata_json(const spalt_metadata* metadata);

typedef struct spalt_metadata_finding {
  size_t struct_size;
  uint32_t is_error;   /**< 0: a note, such as a key that loaders skip */
  const char* rule;    /**< name of the check: "missing_key", "lds_limit", ... */
  const char* path;    /**< keys that lead to the place; may be empty */
  const char* message; /**< one sentence */
} spalt_metadata_finding;

/** At most 256 are kept. */
SPALT_API size_t spalt_metadata_finding_count(const spalt_metadata* metadata);
/** Strings live as long as the handle. */
SPALT_API spalt_result spalt_metadata_get_finding(const spalt_metadata* metadata, size_t index,
                                                  spalt_metadata_finding* finding);

#ifdef __cplusplus
}
#endif
#endif
