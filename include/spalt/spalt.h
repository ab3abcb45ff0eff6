/* SPDX-License-Identifier: MIT */
/**
 * @file spalt.h
 * The Spalt compiler: SPIR-V words in, AMDGPU ELF with PAL metadata out.
 *
 * A pipeline is made in three steps, which spalt_compile does in one call:
 *
 *     SPIR-V words --reflect--> entry points, bindings, constants   (spalt_reflect; optional)
 *     SPIR-V words --compile--> a stage object for each stage       (spalt_compile_stage; on any thread)
 *     stage objects --link----> the ELF of the pipeline             (spalt_link; microseconds)
 *
 * Conventions
 * - Every struct that is passed by itself starts with `struct_size`, set by the caller to sizeof(the struct) of the
 * header it was built with; fields the library knows but the caller's struct is too small for take their zero default.
 * - An array of structs comes with a count and with the size of one element, `..._size`, set to sizeof(the element) of
 * the same header; it is the distance between elements, too. In structs that the library fills it is the library's, and
 * callers must step by it.
 * - Functions return a spalt_result. On failure no output is written except where said; details are in the diagnostics.
 * - No C++ exception leaves the library. An error inside that has no better code is SPALT_ERROR_INTERNAL.
 * - Strings are UTF-8 and NUL terminated. Memory returned through a handle lives until the handle is destroyed.
 * - No global state: handles may be used from any thread; one compiler may run any number of compilations at the same
 * time; one handle of another kind must not be used by two threads at once. The same input gives the same bytes on
 * every machine.
 * - Input is not trusted: any words and any bytes give a result code, never a crash. Structs are trusted to be
 * readable.
 * - What is not supported is refused with SPALT_ERROR_UNSUPPORTED and a diagnostic that names it; spalt_query_target
 * tells it before.
 */
#ifndef SPALT_SPALT_H
#define SPALT_SPALT_H

#include <stddef.h>
#include <stdint.h>

#include "spalt/graphics.h"

#if defined(_WIN32)
#define SPALT_API
#else
#define SPALT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SPALT_VERSION_MAJOR 0
#define SPALT_VERSION_MINOR 2
#define SPALT_VERSION_PATCH 0

typedef enum spalt_result {
  SPALT_SUCCESS = 0,
  SPALT_STOPPED = 1,                 /**< `stop_after` was reached; dumps are available, no code */
  SPALT_ERROR_INVALID_ARGUMENT = -1, /**< the caller's structs contradict themselves or this header */
  SPALT_ERROR_INVALID_INPUT = -2,    /**< malformed SPIR-V, stage object, ELF or text */
  SPALT_ERROR_UNSUPPORTED = -3,      /**< valid input that needs something not supported yet; the diagnostic names it */
  SPALT_ERROR_LIMIT_EXCEEDED = -4,   /**< valid input beyond a limit; the diagnostic names it */
  SPALT_ERROR_OUT_OF_MEMORY = -5,
  SPALT_ERROR_INTERNAL = -6,  /**< a bug in Spalt; please report the input */
  SPALT_ERROR_EXECUTION = -7, /**< emulator only: the program did something illegal */
  SPALT_ERROR_CANCELLED = -8  /**< the caller asked for an end */
} spalt_result;

/** "success", "invalid input", ... Never NULL. */
SPALT_API const char* spalt_result_string(spalt_result result);

/**
 * Identifies what the library was built from: 32 hexadecimal digits that change with any source file, the version or
 * the compiler. Two libraries with the same identifier make the same bytes of the same input, so it belongs into the
 * header of a cache (spalt_compile_key has it in).
 */
SPALT_API const char* spalt_build_identifier(void);

/**
 * Memory for what outlives a call (handles, ELF bytes, texts) and, in large chunks that a compiler keeps for its next
 * compilations, temporary memory of passes; the rest of that comes from the C++ heap. `allocate` returns NULL on
 * failure, which becomes SPALT_ERROR_OUT_OF_MEMORY. Called from the threads that call the library, from several at a
 * time if these do. `alignment` is a power of two of at most 64.
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

/** Stages of a pipeline, for compiling and in reflections. */
typedef enum spalt_shader_stage {
  SPALT_STAGE_VERTEX = 0,
  SPALT_STAGE_TESSELLATION_CONTROL = 1,
  SPALT_STAGE_TESSELLATION_EVALUATION = 2,
  SPALT_STAGE_GEOMETRY = 3,
  SPALT_STAGE_FRAGMENT = 4,
  SPALT_STAGE_COMPUTE = 5,
  SPALT_STAGE_OTHER = 6 /**< reflection only: kernels, mesh, ray tracing */
} spalt_shader_stage;

/** What a binding is, and with it how many bytes the driver writes for one element. */
typedef enum spalt_binding_kind {
  SPALT_BINDING_RAW_BUFFER = 0,   /**< uniform or storage buffer: a buffer descriptor of 16 bytes, bounds in bytes */
  SPALT_BINDING_TYPED_BUFFER = 1, /**< texel buffer: a buffer descriptor of 16 bytes with a format */
  SPALT_BINDING_IMAGE = 2,        /**< sampled, storage or input attachment: an image descriptor of 32 bytes */
  SPALT_BINDING_SAMPLER = 3,      /**< 16 bytes */
  SPALT_BINDING_COMBINED_IMAGE_SAMPLER = 4, /**< an image descriptor, then a sampler: 48 bytes */
  /** The bytes of an inline uniform block in the set's table, at a multiple of 4. For uniform buffers of shaders; reads
   * beyond the block give 0. */
  SPALT_BINDING_INLINE_DATA = 5,
  /** A buffer descriptor in four user-data entries, in no table: root descriptors. Elements of an array follow each
   * other; shaders that index one at run time are refused. */
  SPALT_BINDING_USER_DATA_BUFFER = 6
} spalt_binding_kind;
#define SPALT_BINDING_KIND_COUNT 7

/** What can be done on a target. Arrays live as long as the library. */
typedef struct spalt_target_info {
  size_t struct_size;
  const char* name;
  uint32_t stages;        /**< bit i: spalt_shader_stage i can be compiled */
  uint32_t binding_kinds; /**< bit i: shaders may use spalt_binding_kind i */
  uint32_t wave_sizes;    /**< 32 | 64: those that may be asked for */
  uint32_t default_wave_size;
  uint32_t has_wgp_mode;
  uint32_t max_workgroup_size[3];
  uint32_t max_workgroup_invocations;
  uint32_t max_shared_bytes;
  uint32_t max_push_constant_bytes;
  uint32_t max_user_data_entries;
  uint32_t max_sgprs, max_vgprs;      /**< of one wave */
  uint32_t buffer_descriptor_bytes;   /**< in a table */
  uint32_t max_robustness;            /**< spalt_robustness of raw buffers that may be asked for */
  uint32_t null_descriptors;          /**< 1: a raw buffer's descriptor may be all zero */
  uint32_t float_modes;               /**< spalt_float_mode bits that may be asked for */
  uint32_t spirv_version;             /**< newest that is read: 0x00010600 is 1.6 */
  const uint32_t* spirv_capabilities; /**< SpvCapability values that modules may declare, ascending */
  size_t spirv_capability_count;
  const char* const* spirv_capability_names; /**< in the same order */
  const char* const* spirv_extension_names;  /**< "SPV_..." that are read whole, in the order of their names */
  size_t spirv_extension_count;
  const uint32_t* pal_abi_versions; /**< major << 16 | minor, ascending */
  size_t pal_abi_version_count;
} spalt_target_info;

/** Fails when the target is unknown or has no compiler. */
SPALT_API spalt_result spalt_query_target(const char* target, spalt_target_info* info);

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

/** Where the value of one specialization constant lies in the data, as in Vulkan's VkSpecializationMapEntry. */
typedef struct spalt_specialization_entry {
  uint32_t constant_id; /**< SpecId decoration; ids that the module does not have are a warning */
  uint32_t offset;      /**< bytes from the start of the data */
  size_t size;          /**< bytes of the constant's type: 1, 2, 4 or 8; 4 for booleans */
} spalt_specialization_entry;

/** Where the driver puts one binding. A set and binding may have several, of different kinds. */
typedef struct spalt_binding_location {
  uint32_t set;
  uint32_t binding;
  uint32_t count;           /**< array elements; of INLINE_DATA the bytes of the block */
  uint32_t user_data_entry; /**< entry that holds the low 32 bits of the table's address; of a USER_DATA_BUFFER the
                               first of its four */
  uint32_t offset;          /**< bytes from the start of the table to element 0 */
  uint32_t stride;          /**< bytes between elements; of INLINE_DATA and USER_DATA_BUFFER not looked at */
  uint32_t kind;            /**< a spalt_binding_kind */
  /** Samplers and combined ones: four words for each element that the pipeline layout fixes. The table has them as
     well, for indices that are known at run time only. NULL: only the table has them. Read during the call. */
  const uint32_t* immutable_samplers;
} spalt_binding_location;

/** The user-data layout of the pipeline: terms of the PAL pipeline ABI. */
typedef struct spalt_user_data_layout {
  size_t struct_size;
  const spalt_binding_location* bindings;
  size_t binding_count;
  size_t binding_size;           /**< sizeof(spalt_binding_location) */
  uint32_t push_constant_entry;  /**< first user-data entry of the push constants, one entry per 4 bytes */
  uint32_t push_constant_dwords; /**< entries reserved for them */
} spalt_user_data_layout;

/** What an access outside of a resource does, as in Vulkan's pipeline robustness. */
typedef enum spalt_robustness {
  SPALT_ROBUSTNESS_OFF = 0, /**< undefined, but inside of what the descriptor says */
  SPALT_ROBUSTNESS_1 = 1,   /**< robustBufferAccess: stays inside, reads give zero or data of the buffer */
  SPALT_ROBUSTNESS_2 = 2    /**< robustBufferAccess2: reads give zero, writes vanish, to the byte */
} spalt_robustness;

/** What float arithmetic must do where the module's execution modes say nothing; those win. */
typedef enum spalt_float_mode {
  SPALT_FLOAT_PRESERVE_DENORMALS_32 = 1 << 0, /**< default: flushed */
  SPALT_FLOAT_FLUSH_DENORMALS_16_64 = 1 << 1, /**< default: preserved */
  SPALT_FLOAT_ROUND_TO_ZERO_32 = 1 << 2,      /**< default: to nearest even */
  SPALT_FLOAT_ROUND_TO_ZERO_16_64 = 1 << 3,   /**< default: to nearest even */
  SPALT_FLOAT_PRESERVE_SIGNED_ZERO_INF_NAN = 1
                                             << 4 /**< default: an instruction without NoContraction may ignore them */
} spalt_float_mode;

/** Called with the text after a pass; `pass` and `text` live for the call only. Must not throw. */
typedef void (*spalt_dump_callback)(void* user, const char* pass, const char* text);

/** A stage object as spalt_compilation_stage_object gave it. */
typedef struct spalt_stage_object {
  const void* data;
  size_t size;
} spalt_stage_object;

/** The storage buffer to which a shader writes what it prints (spalt/printf.h). The layout has a place for it. */
typedef struct spalt_printf_place {
  uint32_t set, binding;  /**< that nothing else has */
  uint32_t first_message; /**< number of the first instruction of the module that prints */
} spalt_printf_place;

typedef enum spalt_optimization {
  SPALT_OPTIMIZATION_FULL = 0,
  /** For pipelines that are compiled while a frame waits: the same results, no work on loops and no scheduling. */
  SPALT_OPTIMIZATION_FAST = 1
} spalt_optimization;

typedef struct spalt_compile_info {
  size_t struct_size;
  const uint32_t* words; /**< SPIR-V of one module, in the host's byte order or swapped */
  size_t word_count;
  const char* entry_point; /**< NULL: the only one of the stage */
  uint32_t stage;          /**< a spalt_shader_stage; only if `has_stage` is not 0, else SPALT_STAGE_COMPUTE */
  uint32_t has_stage;

  const spalt_specialization_entry* specialization_entries;
  size_t specialization_entry_count;
  size_t specialization_entry_size; /**< sizeof(spalt_specialization_entry) */
  const void* specialization_data;  /**< numbers in the host's byte order */
  size_t specialization_data_size;

  const spalt_user_data_layout* layout; /**< NULL: derived from the module (spalt_compilation_layout tells it) */

  uint32_t wave_size;              /**< 32 or 64; 0: the target's default. The subgroup size of the shader */
  uint32_t require_full_subgroups; /**< fail unless the workgroup's x size is a multiple of the subgroup size */
  uint32_t wgp_mode;               /**< 0: workgroup on one CU; 1: on a work-group processor. Of compute shaders */
  /** Workgroups of a dispatch in each dimension, at most; the code may rely on it. 0: 65535, which is the least that
   * Vulkan asks for (maxComputeWorkGroupCount). */
  uint32_t max_workgroup_count[3];

  uint32_t uniform_buffer_robustness; /**< a spalt_robustness */
  uint32_t storage_buffer_robustness;
  uint32_t image_robustness;
  uint32_t null_descriptors; /**< 1: descriptors may be null, and read as zero */
  uint32_t float_modes;      /**< spalt_float_mode bits */

  uint32_t max_vgprs, max_sgprs; /**< registers of a wave that the code may use; 0: what the target has. Less may cost
                                    spills and may win occupancy; at least 24 and 32 */
  uint32_t
      max_unroll_instructions; /**< instructions that a loop may become; 0: the compiler's choice, 1: no unrolling */

  uint32_t pal_abi_major, pal_abi_minor; /**< metadata version: 2.6 up to GFX11, 3.0 or 3.6 from
                                            GFX10 on; 0.0: the target's default, 2.6 on GFX9, else 3.0. Not for
                                            spalt_compile_stage */
  uint32_t want_assembly;                /**< keep a disassembly (spalt_compilation_assembly) */
  uint32_t verify;                       /**< run all verifiers and the allocation checker between the passes */
  const char* stop_after;                /**< pass name; NULL: compile to the end */
  const char* dump_after;                /**< pass name or "all"; NULL: no dumps */
  spalt_dump_callback dump;
  void* dump_user;
  /** Another thread may set this to anything but 0, atomically: the compilation ends with SPALT_ERROR_CANCELLED soon.
   * It looks between passes and, in long ones, at each block or round: within milliseconds for shaders of some 10,000
   * instructions, within tenths of a second for those of some 100,000. NULL: never. */
  const uint32_t* cancel;

  /** What code of vertex and fragment shaders depends on. NULL: Vulkan's defaults; each vertex input is then four
   * components of 32 bits from the binding of the number of its location, and each colour target is RGBA8. Not looked
   * at for compute shaders. */
  const spalt_graphics_state* graphics;
  /** Of a vertex shader: the stage object of the fragment shader that it will be linked with, which tells what outputs
   * are read and what the fragment shader leaves to the vertices. One without bytes (NULL and 0): there will be none.
   * NULL: not known, so that all are kept. */
  const spalt_stage_object* next_stage;
  /** Of a fragment shader: the request for the vertex shader that it will be linked with, of which the words, the entry
   * point, the specialization and, if it has `graphics` and no body_only, the vertex attributes are looked at: what
   * their formats lack is constant, and those of instances are the same in all vertices of a primitive. Outputs that
   * are constants there are constants in the fragment shader, those that all vertices of a primitive have alike are not
   * interpolated, and what the fragment shader would compute from inputs alone is left to the vertices, so that it must
   * not be linked with any other vertex shader, and the vertex shader must be compiled with this stage as its
   * next_stage. spalt_link refuses one that was not where work is left to it. NULL: not known. */
  const struct spalt_compile_info* previous_stage;
  /**
   * 1: the stage is compiled without the part of its state that a piece brings (spalt_compile_piece): a vertex shader
   * without vertex_bindings, vertex_attributes and topology, a fragment shader without color_targets,
   * alpha_to_coverage, alpha_to_one and dual_source_blend. What `graphics` says of these is not looked at. The stage
   * object is the body of its stage then, which links together with a piece only. For spalt_compile_stage of vertex and
   * fragment shaders. A fragment shader may also be compiled without `samples`, which is 0 then; interpolation at a
   * sample by its number is refused there with SPALT_ERROR_UNSUPPORTED.
   */
  uint32_t body_only;

  /** Measure the parts of the compiler (spalt_compilation_part_time). Off by default: reading the clock takes some two
   * percent of the time of a small shader. */
  uint32_t want_part_times;

  /** NULL: instructions of NonSemantic.DebugPrintf do nothing. */
  const spalt_printf_place* printf;

  uint32_t optimization; /**< a spalt_optimization */

  /** Keep what each instruction was made for: in the texts of dumps, and of the code (spalt_compilation_origins in
   * spalt/source.h). Changes no code. */
  uint32_t want_origins;

  /** 1: the upper half of the addresses of all tables that user data and the loader give by their lower half
   * (descriptor tables, the spill table, the global table and that of vertex buffers) is `address_high`, wherever the
   * code lies. The code then needs no instruction to read it. 0: it is that of the code's own address. Pieces
   * (spalt_compile_piece) do not know it: where there are such, their code lies in the range of the tables. */
  uint32_t has_address_high;
  uint32_t address_high;
} spalt_compile_info;

/** A piece completes the bodies of vertex or fragment stages: what it is follows from the body. */
typedef struct spalt_piece_info {
  size_t struct_size;
  /** A body that the piece is for. Others that read the same attributes, or write the same results, can have it, too:
   * spalt_piece_key tells. Read during the call. */
  spalt_stage_object body;
  /** For a vertex stage, what is looked at are vertex_bindings, vertex_attributes and topology; for a fragment stage
   * color_targets, alpha_to_coverage, alpha_to_one, dual_source_blend and, for the first two together, samples. NULL:
   * as in spalt_compile_info. */
  const spalt_graphics_state* graphics;
  /* As in spalt_compile_info: */
  uint32_t want_assembly;
  uint32_t verify;
  const char* stop_after;
  const char* dump_after;
  spalt_dump_callback dump;
  void* dump_user;
  uint32_t want_part_times;
} spalt_piece_info;

/* ---- results ---- */

typedef struct spalt_compilation spalt_compilation;

/**
 * Compiles one entry point to the ELF of a pipeline that has no other stage: spalt_compile_stage and spalt_link in one.
 * A vertex shader alone gets a fragment stage that does nothing; a fragment shader alone makes a file to look at.
 * A handle is returned for every result code except INVALID_ARGUMENT with a NULL pointer and OUT_OF_MEMORY, so that
 * diagnostics can be read; the caller destroys it.
 */
SPALT_API spalt_result spalt_compile(spalt_compiler* compiler, const spalt_compile_info* info,
                                     spalt_compilation** compilation);
/**
 * Compiles one entry point to a stage object, which spalt_link joins to a pipeline. Everything about the result as for
 * spalt_compile, but there is no ELF.
 */
SPALT_API spalt_result spalt_compile_stage(spalt_compiler* compiler, const spalt_compile_info* info,
                                           spalt_compilation** compilation);
/**
 * Compiles the piece that completes a body: in front of a vertex stage a prolog that fetches its attributes, after a
 * fragment stage an epilog that exports its results. A few dozen instructions, some tens of microseconds. The result is
 * a stage object, which spalt_link joins to the body: codes one after the other, without a jump. Errors and handle as
 * for spalt_compile_stage; SPALT_ERROR_INVALID_ARGUMENT for a stage that is no body.
 */
SPALT_API spalt_result spalt_compile_piece(spalt_compiler* compiler, const spalt_piece_info* info,
                                           spalt_compilation** compilation);
SPALT_API void spalt_compilation_destroy(spalt_compilation* compilation);

/**
 * The stage object as bytes that may be stored and given to spalt_link in another process; NULL and 0 unless
 * spalt_compile_stage succeeded. They are read by libraries of the same build only for sure; others refuse them with
 * SPALT_ERROR_UNSUPPORTED when their form has changed.
 */
SPALT_API const void* spalt_compilation_stage_object(const spalt_compilation* compilation, size_t* size);

/** A key of everything that decides the bytes of a compilation. */
typedef struct spalt_key {
  uint64_t words[2];
} spalt_key;

/**
 * A stable key for caches: equal keys mean equal results, in any process and on any machine, up to a chance of 2^-64.
 * It covers words, entry point, specialization, layout, all options that change code, the target and the build
 * identifier; not what only watches (verify, dumps, cancel). Fails for structs that spalt_compile refuses, too. Much
 * faster than compiling.
 */
SPALT_API spalt_result spalt_compile_key(const spalt_compiler* compiler, const spalt_compile_info* info,
                                         spalt_key* key);
/** The same for a piece. Bodies of different shaders, and states that differ in what no body reads, have one key where
 * they have one piece. */
SPALT_API spalt_result spalt_piece_key(const spalt_compiler* compiler, const spalt_piece_info* info, spalt_key* key);

/** The ELF; NULL and 0 unless the compile succeeded. */
SPALT_API const void* spalt_compilation_elf(const spalt_compilation* compilation, size_t* size);
/** Assembly of the code in LLVM's dialect; NULL unless asked for. */
SPALT_API const char* spalt_compilation_assembly(const spalt_compilation* compilation);

typedef enum spalt_severity { SPALT_SEVERITY_ERROR = 0, SPALT_SEVERITY_WARNING = 1 } spalt_severity;

typedef struct spalt_diagnostic {
  size_t struct_size;
  const char* message;     /**< one sentence */
  uint32_t word_offset;    /**< in the SPIR-V words; UINT32_MAX when there is none */
  const char* source_file; /**< from OpLine; NULL when unknown */
  uint32_t source_line;    /**< 0 when unknown */
  uint32_t source_column;  /**< of assembler text; 0 when unknown */
  uint32_t severity;       /**< a spalt_severity */
} spalt_diagnostic;

/** Errors first; a compilation that succeeds may have warnings. */
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

/** Wall time that one part of the compiler took. There are none unless the request had `want_part_times`. */
typedef struct spalt_part_time {
  size_t struct_size;
  const char* part; /**< "spirv", "passes", ..., "object": rows of the data-flow table in docs/architecture.md */
  uint64_t nanoseconds;
} spalt_part_time;

SPALT_API size_t spalt_compilation_part_count(const spalt_compilation* compilation);
SPALT_API spalt_result spalt_compilation_part_time(const spalt_compilation* compilation, size_t index,
                                                   spalt_part_time* time);

/** The layout that the code expects: the caller's, or the derived one. Pointers live as long as the compilation. */
SPALT_API spalt_result spalt_compilation_layout(const spalt_compilation* compilation, spalt_user_data_layout* layout);

/* ---- linking ---- */

typedef struct spalt_pipeline spalt_pipeline;

typedef struct spalt_link_info {
  size_t struct_size;
  const spalt_stage_object* stages; /**< one for each stage of the pipeline; a body and its piece are two */
  size_t stage_count;
  size_t stage_size;                     /**< sizeof(spalt_stage_object) */
  uint32_t pal_abi_major, pal_abi_minor; /**< as in spalt_compile_info */
} spalt_link_info;

/**
 * Joins stage objects to the ELF of a pipeline; the same bytes as spalt_compile gives. The stage objects are not
 * trusted: damaged ones are refused, or link to an ELF that is as safe to read as any, though perhaps not to run. A
 * handle is returned for every result code except INVALID_ARGUMENT with a NULL pointer and OUT_OF_MEMORY.
 */
SPALT_API spalt_result spalt_link(spalt_compiler* compiler, const spalt_link_info* info, spalt_pipeline** pipeline);
/** NULL is ignored. */
SPALT_API void spalt_pipeline_destroy(spalt_pipeline* pipeline);
/** The ELF; NULL and 0 unless linking succeeded. */
SPALT_API const void* spalt_pipeline_elf(const spalt_pipeline* pipeline, size_t* size);
/** Why linking failed; NULL when it did not. */
SPALT_API const char* spalt_pipeline_message(const spalt_pipeline* pipeline);

/* ---- reflection ---- */

/** What a module says of itself, whether or not it can be compiled. */
typedef struct spalt_reflection spalt_reflection;

typedef struct spalt_reflect_info {
  size_t struct_size;
  const uint32_t* words;
  size_t word_count;
  const char* entry_point; /**< whose interface to tell; NULL: the first one */
  uint32_t stage;          /**< a spalt_shader_stage, where entry points share a name; only if `has_stage` is not 0 */
  uint32_t has_stage;
  /** As in spalt_compile_info: array sizes and workgroup sizes may depend on them. */
  const spalt_specialization_entry* specialization_entries;
  size_t specialization_entry_count;
  size_t specialization_entry_size;
  const void* specialization_data;
  size_t specialization_data_size;
  const spalt_allocation_callbacks* allocation; /**< NULL: malloc and free; copied */
} spalt_reflect_info;

/**
 * Reads the declarations of a module; the code is not looked at, so that what is declared but not used counts, too. A
 * handle is returned for every result code except INVALID_ARGUMENT with a NULL pointer and OUT_OF_MEMORY.
 */
SPALT_API spalt_result spalt_reflect(const spalt_reflect_info* info, spalt_reflection** reflection);
/** NULL is ignored. */
SPALT_API void spalt_reflection_destroy(spalt_reflection* reflection);
/** What is wrong with the module; fails when nothing is. */
SPALT_API spalt_result spalt_reflection_diagnostic(const spalt_reflection* reflection, spalt_diagnostic* diagnostic);

typedef struct spalt_entry_point {
  const char* name;
  uint32_t stage; /**< a spalt_shader_stage */
} spalt_entry_point;

typedef enum spalt_resource_type {
  SPALT_RESOURCE_UNIFORM_BUFFER = 0,
  SPALT_RESOURCE_STORAGE_BUFFER = 1,
  SPALT_RESOURCE_UNIFORM_TEXEL_BUFFER = 2,
  SPALT_RESOURCE_STORAGE_TEXEL_BUFFER = 3,
  SPALT_RESOURCE_SAMPLED_IMAGE = 4,
  SPALT_RESOURCE_STORAGE_IMAGE = 5,
  SPALT_RESOURCE_INPUT_ATTACHMENT = 6,
  SPALT_RESOURCE_SAMPLER = 7,
  SPALT_RESOURCE_COMBINED_IMAGE_SAMPLER = 8,
  SPALT_RESOURCE_ACCELERATION_STRUCTURE = 9
} spalt_resource_type;

typedef enum spalt_scalar_type {
  SPALT_SCALAR_BOOL = 0,
  SPALT_SCALAR_SIGNED = 1,
  SPALT_SCALAR_UNSIGNED = 2,
  SPALT_SCALAR_FLOAT = 3,
  SPALT_SCALAR_STRUCT = 4 /**< of a block */
} spalt_scalar_type;

typedef struct spalt_reflected_binding {
  uint32_t set, binding;
  uint32_t type;    /**< a spalt_resource_type */
  uint32_t kind;    /**< the spalt_binding_kind that a layout has for it; UINT32_MAX when there is none */
  uint32_t count;   /**< array elements; 0: a runtime array */
  uint32_t bytes;   /**< buffers: size of the block without a runtime array at its end */
  const char* name; /**< of the variable, or of its block; "" when the module has none */
  /* Of images and texel buffers: */
  uint32_t view_type;    /**< VkImageViewType that the shader takes; UINT32_MAX: no image */
  uint32_t multisampled; /**< 1: of images with samples */
  uint32_t texel_type;   /**< a spalt_scalar_type: what components are to the shader; UINT32_MAX: no texels */
  uint32_t texel_format; /**< VkFormat that the shader declares; 0: none, as for all that is sampled */
} spalt_reflected_binding;

/** An input or output of a stage with a location, or a built-in variable. */
typedef struct spalt_reflected_variable {
  uint32_t location;   /**< UINT32_MAX: none, a built-in */
  uint32_t component;  /**< first component of the location */
  uint32_t built_in;   /**< SpvBuiltIn; UINT32_MAX: none */
  uint32_t type;       /**< a spalt_scalar_type */
  uint32_t bits;       /**< of a scalar; 0 for booleans and structs */
  uint32_t components; /**< of a vector; 1 for a scalar */
  uint32_t columns;    /**< of a matrix; 1 for others */
  uint32_t count;      /**< array elements; 1 for others, 0: a runtime array */
  const char* name;
} spalt_reflected_variable;

typedef struct spalt_reflected_constant {
  uint32_t constant_id;   /**< SpecId */
  uint32_t type;          /**< a spalt_scalar_type */
  uint32_t bits;          /**< 0 for booleans, whose entries have 4 bytes */
  uint64_t default_value; /**< bit pattern */
  const char* name;
} spalt_reflected_constant;

/** Strings and arrays live as long as the handle. Arrays of variables are those of the chosen entry point. */
typedef struct spalt_reflection_info {
  size_t struct_size;
  const spalt_entry_point* entry_points; /**< all of the module */
  size_t entry_point_count;
  size_t entry_point_size;                            /**< of one element, for all of these: the library's */
  uint32_t entry_point;                               /**< index of the chosen one */
  uint32_t workgroup_size[3];                         /**< of stages with workgroups, else 0 */
  uint32_t push_constant_offset, push_constant_bytes; /**< bytes; size 0: none */
  const spalt_reflected_binding* bindings;            /**< sorted by set, binding and type */
  size_t binding_count, binding_size;
  const spalt_reflected_variable* inputs; /**< sorted by location; built-ins after them */
  size_t input_count, input_size;
  const spalt_reflected_variable* outputs;
  size_t output_count, output_size;
  const spalt_reflected_constant* constants; /**< specialization constants of the module, sorted by id */
  size_t constant_count, constant_size;
  const uint32_t* capabilities; /**< SpvCapability values that the module declares */
  size_t capability_count;
} spalt_reflection_info;

/** Fails when the module could not be read. */
SPALT_API spalt_result spalt_reflection_get(const spalt_reflection* reflection, spalt_reflection_info* info);

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
