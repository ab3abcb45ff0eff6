/* SPDX-License-Identifier: MIT */
/**
 * @file descriptor.h
 * What a driver writes into descriptor tables for the shaders that a compiler makes: descriptors of buffers, images and
 * samplers, where the texels of an image are in memory, and what formats can be used for.
 *
 * Everything depends on the target, which the compiler handle says; nothing else of the handle is used. Functions take
 * nanoseconds to microseconds, no lock and no memory, and may be called from any thread. The conventions of spalt.h
 * hold. Which descriptor a binding has, and where it is in a table, is what spalt_user_data_layout says.
 */
#ifndef SPALT_DESCRIPTOR_H
#define SPALT_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>

#include "spalt/spalt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- buffers ---- */

/** What a buffer descriptor (V#) says. */
typedef struct spalt_buffer_descriptor_info {
  size_t struct_size;
  uint64_t address; /**< device address of the first byte, below 2^48; ignored when `size` is 0 */
  uint64_t size;    /**< bytes, below 2^32. Accesses are checked against it to the byte. 0: the null descriptor */
} spalt_buffer_descriptor_info;

/**
 * Writes the 16 bytes that a driver puts into a table, or into user data, for a SPALT_BINDING_RAW_BUFFER or
 * SPALT_BINDING_USER_DATA_BUFFER on the target of the compiler. Takes nanoseconds, no lock and no memory. Fails with
 * SPALT_ERROR_INVALID_ARGUMENT when address or size do not fit.
 */
SPALT_API spalt_result spalt_write_buffer_descriptor(const spalt_compiler* compiler,
                                                     const spalt_buffer_descriptor_info* info, uint32_t words[4]);

/** What the descriptor (V#) of a vertex buffer says. */
typedef struct spalt_vertex_buffer_descriptor_info {
  size_t struct_size;
  uint64_t address; /**< device address of the first element, below 2^48; ignored when `size` is 0 */
  uint64_t size;    /**< bytes. 0: the null descriptor */
  uint32_t stride;  /**< bytes, below 2^14; 0: all vertices read the same element */
  /** Bytes that must be in the buffer from the start of an element on: the greatest end of an attribute, whose offset
   * is taken modulo the stride. It may be more than the stride. Elements that have less of them read as 0. */
  uint32_t element_size;
} spalt_vertex_buffer_descriptor_info;

/** Writes the 16 bytes of a binding in the table of vertex buffers (draw.h). Fails with SPALT_ERROR_INVALID_ARGUMENT
 * when a number does not fit. */
SPALT_API spalt_result spalt_write_vertex_buffer_descriptor(const spalt_compiler* compiler,
                                                            const spalt_vertex_buffer_descriptor_info* info,
                                                            uint32_t words[4]);

/* ---- images ---- */

/* Formats are named by their VkFormat number, component swizzles, view types, address modes and compare operations by
 * the numbers that Vulkan gives them. */

/** Where the texels of an image are in memory: linear surfaces. A format with depth and stencil has two planes, each an
 * image of its own (spalt_query_format tells their formats). */
typedef struct spalt_image_info {
  size_t struct_size;
  uint32_t format;               /**< of one plane */
  uint32_t dimensions;           /**< 1, 2 or 3 */
  uint32_t width, height, depth; /**< texels of level 0; 1 in dimensions that are not there */
  uint32_t levels, layers, samples;
} spalt_image_info;

#define SPALT_MAX_IMAGE_LEVELS 16

typedef struct spalt_image_level {
  uint64_t offset;    /**< bytes from the start of a slice to the first row */
  uint64_t row_bytes; /**< from one row of texels, or of blocks, to the next */
  uint32_t rows;
} spalt_image_level;

typedef struct spalt_image_layout {
  size_t struct_size;
  uint64_t bytes, alignment;
  /** From one slice to the next. Slices are layers (faces of cubes), depth slices, or samples: sample s of layer l is
   * slice l * samples + s. Each slice has all levels. */
  uint64_t slice_bytes;
  spalt_image_level levels[SPALT_MAX_IMAGE_LEVELS];
} spalt_image_layout;

/** Fails with SPALT_ERROR_INVALID_ARGUMENT when the target has no such image. */
SPALT_API spalt_result spalt_query_image_layout(const spalt_compiler* compiler, const spalt_image_info* info,
                                                spalt_image_layout* layout);

/** What an image descriptor (T#) says. */
typedef struct spalt_image_descriptor_info {
  size_t struct_size;
  const spalt_image_info* image; /**< NULL: the null descriptor */
  uint64_t address;              /**< device address of the image's first byte, a multiple of its alignment */
  uint32_t format;               /**< of the view: texels, or blocks, of the image's size */
  uint32_t view_type;            /**< VkImageViewType */
  uint32_t swizzle[4];           /**< VkComponentSwizzle of R, G, B, A */
  uint32_t first_level, level_count;
  uint32_t first_layer, layer_count; /**< of a 2D view of a 3D image: slices */
  float min_lod;                     /**< absolute: level 0 is that of the image */
  uint32_t storage;                  /**< 1: for storage images, 0: for sampled ones and input attachments */
} spalt_image_descriptor_info;

/** Writes the 32 bytes of a SPALT_BINDING_IMAGE. Fails with SPALT_ERROR_INVALID_ARGUMENT when a number is out of range,
 * with SPALT_ERROR_UNSUPPORTED when the target does not have the format. */
SPALT_API spalt_result spalt_write_image_descriptor(const spalt_compiler* compiler,
                                                    const spalt_image_descriptor_info* info, uint32_t words[8]);

/** What a sampler descriptor (S#) says. */
typedef struct spalt_sampler_descriptor_info {
  size_t struct_size;
  uint32_t mag_filter, min_filter; /**< VkFilter: 0 nearest, 1 linear */
  uint32_t mipmap_mode;            /**< VkSamplerMipmapMode */
  uint32_t address_modes[3];       /**< VkSamplerAddressMode of u, v, w */
  float mip_lod_bias, min_lod, max_lod;
  float max_anisotropy;    /**< 1: none; up to 16 */
  uint32_t compare;        /**< 1: the reference is compared with each texel */
  uint32_t compare_op;     /**< VkCompareOp */
  uint32_t reduction_mode; /**< VkSamplerReductionMode */
  uint32_t unnormalized;   /**< 1: coordinates are texels */
  uint32_t non_seamless_cube;
  uint32_t border_color; /**< VkBorderColor of the first six, or SPALT_BORDER_PALETTE */
  uint32_t border_index; /**< in the palette of the device: 16 bytes for each colour, 4096 of them at most */
} spalt_sampler_descriptor_info;
#define SPALT_BORDER_PALETTE 0x100u

/** Writes the 16 bytes of a SPALT_BINDING_SAMPLER, or the last 16 of a combined one. */
SPALT_API spalt_result spalt_write_sampler_descriptor(const spalt_compiler* compiler,
                                                      const spalt_sampler_descriptor_info* info, uint32_t words[4]);

/** What the descriptor of a texel buffer (V#) says. */
typedef struct spalt_texel_buffer_descriptor_info {
  size_t struct_size;
  uint64_t address; /**< device address of the first texel; ignored when `size` is 0 */
  uint64_t size;    /**< bytes; what is left of a last texel does not count. 0: the null descriptor */
  uint32_t format;
} spalt_texel_buffer_descriptor_info;

/** Writes the 16 bytes of a SPALT_BINDING_TYPED_BUFFER. */
SPALT_API spalt_result spalt_write_texel_buffer_descriptor(const spalt_compiler* compiler,
                                                           const spalt_texel_buffer_descriptor_info* info,
                                                           uint32_t words[4]);

/** What texels of a format can be used for on a target. */
typedef enum spalt_format_use {
  SPALT_FORMAT_SAMPLED = 1 << 0,
  SPALT_FORMAT_LINEAR_FILTER = 1 << 1,
  SPALT_FORMAT_STORAGE = 1 << 2,        /**< read and written, with or without a format in the shader */
  SPALT_FORMAT_STORAGE_ATOMIC = 1 << 3, /**< of floats: exchange only */
  SPALT_FORMAT_TEXEL_BUFFER = 1 << 4,
  SPALT_FORMAT_STORAGE_TEXEL_BUFFER = 1 << 5,
  SPALT_FORMAT_TEXEL_BUFFER_ATOMIC = 1 << 6,
  SPALT_FORMAT_DEPTH_COMPARE = 1 << 7
} spalt_format_use;

/** spalt_format_use bits; 0 for formats that are not known. */
SPALT_API uint32_t spalt_query_format_uses(const spalt_compiler* compiler, uint32_t format);

/**
 * A descriptor as text, a field on each line: `kind` is a spalt_binding_kind, `words` has as many as its bytes. Like
 * snprintf: returns the bytes that the text has, and writes as many of them as fit, and a zero, to `text`. 0: the kind
 * is none of a descriptor.
 */
SPALT_API size_t spalt_describe_descriptor(const spalt_compiler* compiler, uint32_t kind, const uint32_t* words,
                                           char* text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
