/* SPDX-License-Identifier: MIT */
/**
 * What shaders print: instructions of NonSemantic.DebugPrintf (debugPrintfEXT in GLSL), compiled with
 * spalt_compile_info::printf, write records to a buffer, which the functions here turn into lines of text.
 *
 * The first dword of the buffer counts the dwords that records have asked for; where it is beyond the end of the
 * buffer, some had no room. It starts as 0. Then come records, one after another:
 *
 *   dword 0    the number of the message: first_message of the compilation and the place of the instruction in the
 * module dword 1    how many dwords of arguments follow then       arguments, for spalt_printf_print
 */
#ifndef SPALT_PRINTF_H
#define SPALT_PRINTF_H

#include "spalt/spalt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The messages of one module. May be used from several threads at once. */
typedef struct spalt_printf_messages spalt_printf_messages;

/**
 * Finds the messages of a module, whose words are read during the call, in the host's byte order. The caller destroys
 * the handle. SPALT_ERROR_INVALID_INPUT for what is no SPIR-V.
 */
SPALT_API spalt_result spalt_printf_messages_create(const uint32_t* words, size_t word_count,
                                                    spalt_printf_messages** messages);
SPALT_API void spalt_printf_messages_destroy(spalt_printf_messages* messages);

/** Instructions that print, which is how many numbers the module takes. */
SPALT_API size_t spalt_printf_message_count(const spalt_printf_messages* messages);

/**
 * One message as text, which lives until the callback returns. `file` is the empty string and `line` 0 where the module
 * does not say where the instruction comes from.
 */
typedef void (*spalt_printf_callback)(void* user, const char* text, const char* file, uint32_t line);

/**
 * Calls back once, with message `number` of the module (counted from 0) and the arguments of a record. Whatever the
 * arguments are, nothing worse than a wrong text comes of them. SPALT_ERROR_INVALID_ARGUMENT for a number that is too
 * high.
 */
SPALT_API spalt_result spalt_printf_print(const spalt_printf_messages* messages, size_t number,
                                          const uint32_t* arguments, size_t argument_count,
                                          spalt_printf_callback callback, void* user);

#ifdef __cplusplus
}
#endif

#endif
