/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Formats and their texels, for what a driver or a tool does with images on the host: copies, clears, blits, files. The
 * functions know no target, take no lock and no memory, and may be called from any thread.
 */
#ifndef SPALT_TEXEL_H
#define SPALT_TEXEL_H

#include <stddef.h>
#include <stdint.h>

#include "spalt/spalt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How the components of a format are numbers. */
typedef enum spalt_number_kind {
  SPALT_NUMBER_UNORM = 0,
  SPALT_NUMBER_SNORM = 1,
  SPALT_NUMBER_USCALED = 2,
  SPALT_NUMBER_SSCALED = 3,
  SPALT_NUMBER_UINT = 4,
  SPALT_NUMBER_SINT = 5,
  SPALT_NUMBER_FLOAT = 6,
  SPALT_NUMBER_UFLOAT = 7, /**< floats without a sign */
  SPALT_NUMBER_SRGB = 8    /**< alpha is UNORM */
} spalt_number_kind;

typedef struct spalt_format_info {
  size_t struct_size;
  const char* name;                   /**< without VK_FORMAT_; lives as long as the library */
  uint32_t block_width, block_height; /**< texels of a block; 1 and 1 unless compressed */
  uint32_t block_bytes;               /**< of the only plane, or of the depth plane */
  uint32_t aspects;                   /**< VkImageAspectFlagBits: colour 1, depth 2, stencil 4 */
  uint32_t number;                    /**< a spalt_number_kind; of the depth plane where there are two planes */
  uint32_t component_bits[4];         /**< of R, G, B, A; 0: not there. Depth and stencil are R; of compressed formats
                                           what is kept */
  uint32_t depth_format, stencil_format; /**< of the planes; 0: no such aspect */
} spalt_format_info;

/** The formats that are known, ascending from index 0 on; 0, which is VK_FORMAT_UNDEFINED, after the last. */
SPALT_API uint32_t spalt_known_format(size_t index);
/** Fails with SPALT_ERROR_INVALID_ARGUMENT for formats that are not known. */
SPALT_API spalt_result spalt_query_format(uint32_t format, spalt_format_info* info);

/**
 * R, G, B, A as a shader sees them: bits of floats, or extended integers. Missing ones are 0, alpha 1. Integers of 64
 * bits are the low half in R and the high one in G.
 */
typedef struct spalt_texel {
  uint32_t rgba[4];
} spalt_texel;

/**
 * Reads `count` texels that follow each other in memory; sRGB becomes linear. Of a compressed format `count` must be
 * 16: the texels of one block, row by row. The format must be known and of one plane: else
 * SPALT_ERROR_INVALID_ARGUMENT.
 */
SPALT_API spalt_result spalt_decode_texels(uint32_t format, const void* bytes, size_t count, spalt_texel* texels);
/**
 * Writes texels. Normalized numbers are clamped and rounded to the nearest, shorter floats toward zero, those with a
 * shared exponent to the nearest, integers saturated; linear becomes sRGB. Components that the format does not have are
 * dropped, bits that belong to none become 0. The format must be known, of one plane and not compressed: else
 * SPALT_ERROR_INVALID_ARGUMENT.
 */
SPALT_API spalt_result spalt_encode_texels(uint32_t format, const spalt_texel* texels, size_t count, void* bytes);

#ifdef __cplusplus
}
#endif

#endif
