/* SPDX-License-Identifier: MIT */
/**
 * Where code comes from. A compilation with spalt_compile_info::want_origins tells for each part of its code which
 * instruction of the SPIR-V module it was made for; the module's debug information tells which line of which source
 * that is. Both count words of the module, in which place 0 is the magic number.
 *
 * Dumps of such a compilation name the word of each instruction as well: `@37` in IR, `origin=37` in machine IR.
 */
#ifndef SPALT_SOURCE_H
#define SPALT_SOURCE_H

#include "spalt/spalt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** From this byte of a stage's code up to that of the next one, the code is for the instruction that begins at `word`.
 */
typedef struct spalt_code_origin {
  uint32_t code_offset;
  uint32_t word;
} spalt_code_origin;

/**
 * By code_offset; they live as long as the compilation. What the compiler adds (waits, copies, masks) counts to the
 * instruction after it. Of code that was merged from several instructions, one is named. NULL and 0 unless asked for.
 */
SPALT_API const spalt_code_origin* spalt_compilation_origins(const spalt_compilation* compilation, size_t* count);

/** The sources of one module. May be used from several threads at once. */
typedef struct spalt_source spalt_source;

/**
 * Reads OpLine, OpSource and NonSemantic.Shader.DebugInfo.100. The words are read during the call, in the host's byte
 * order. The caller destroys the handle. SPALT_ERROR_INVALID_INPUT for what is no SPIR-V.
 */
SPALT_API spalt_result spalt_source_create(const uint32_t* words, size_t word_count, spalt_source** source);
SPALT_API void spalt_source_destroy(spalt_source* source);

typedef struct spalt_source_file {
  size_t struct_size;
  const char* name; /**< as the module has it, may be empty; lives as long as the source */
  const char* text; /**< NULL: the module does not have it. As above */
} spalt_source_file;

SPALT_API size_t spalt_source_file_count(const spalt_source* source);
/** SPALT_ERROR_INVALID_ARGUMENT for an index that is too high. */
SPALT_API spalt_result spalt_source_get_file(const spalt_source* source, size_t index, spalt_source_file* file);

/** Instructions from this word up to that of the next one come from this line. */
typedef struct spalt_source_line {
  uint32_t word;
  uint32_t file; /**< of spalt_source_get_file */
  uint32_t line; /**< from 1; 0: not known */
} spalt_source_line;

/** By word; they live as long as the source. NULL and 0 where the module names no lines. */
SPALT_API const spalt_source_line* spalt_source_lines(const spalt_source* source, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
