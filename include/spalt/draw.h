/* SPDX-License-Identifier: MIT */
/**
 * @file draw.h
 * Draws on the emulated device: a graphics pipeline with its fixed-function state, buffers and attachments. What a
 * driver builds on, beside the dispatches of device.h, whose conventions hold.
 *
 * Everything is in Vulkan's terms and numbers (VkFormat, VkCompareOp, ...). docs/rasterization.md says what the
 * fixed-function parts make of it.
 */
#ifndef SPALT_DRAW_H
#define SPALT_DRAW_H

#include "spalt/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A program of a graphics pipeline is made by spalt_program_create, as one of a compute pipeline is. Which kind it is
 * its metadata says. */

typedef struct spalt_viewport {
  float x, y, width, height, min_depth, max_depth;
} spalt_viewport;

/** Pixels. */
typedef struct spalt_rect {
  int32_t x, y;
  uint32_t width, height;
} spalt_rect;

#define SPALT_MAX_VIEWPORTS 16

typedef struct spalt_stencil_face {
  uint32_t fail_op, pass_op, depth_fail_op; /**< VkStencilOp */
  uint32_t compare_op;
  uint32_t compare_mask, write_mask, reference;
} spalt_stencil_face;

typedef struct spalt_color_blend {
  uint32_t enable;
  uint32_t src_color_factor, dst_color_factor, color_op; /**< VkBlendFactor, VkBlendOp */
  uint32_t src_alpha_factor, dst_alpha_factor, alpha_op;
  uint32_t write_mask; /**< VkColorComponentFlags */
} spalt_color_blend;

/** One plane of an attachment: level 0 of what is seen, in device memory, with linear rows (spalt_image_layout). Sample
 * s of layer l is slice l * samples + s. */
typedef struct spalt_attachment {
  uint64_t address; /**< of its first layer; 0: there is none */
  uint32_t format;  /**< VkFormat of the plane */
  uint32_t width, height, layers, samples;
  uint64_t row_bytes, slice_bytes;
} spalt_attachment;

/** What fixed functions do with primitives and fragments. */
typedef struct spalt_raster_state {
  size_t struct_size;
  uint32_t topology; /**< VkPrimitiveTopology */
  uint32_t primitive_restart;
  uint32_t provoking_last;
  uint32_t rasterizer_discard;

  const spalt_viewport* viewports;
  const spalt_rect* scissors;
  uint32_t viewport_count; /**< of both; at most SPALT_MAX_VIEWPORTS */
  uint32_t negative_one_to_one;
  spalt_rect render_area; /**< outside of it nothing is drawn */

  uint32_t polygon_mode, cull_mode, front_face; /**< VkPolygonMode, VkCullModeFlags, VkFrontFace */
  uint32_t depth_clip, depth_clamp;
  uint32_t depth_bias;
  float depth_bias_constant, depth_bias_clamp, depth_bias_slope;
  float line_width;
  uint32_t line_mode; /**< VkLineRasterizationModeEXT */
  uint32_t line_stipple, line_stipple_factor, line_stipple_pattern;

  uint32_t samples; /**< 1, 2, 4, 8 or 16; 0 means 1 */
  uint32_t sample_mask;
  float min_sample_shading; /**< as in spalt_graphics_state */
  uint32_t alpha_to_coverage, alpha_to_one;

  uint32_t depth_test, depth_write, depth_compare_op;
  uint32_t depth_bounds_test;
  float min_depth_bounds, max_depth_bounds;
  uint32_t stencil_test;
  spalt_stencil_face stencil_front, stencil_back;

  uint32_t logic_op_enable, logic_op; /**< VkLogicOp */
  float blend_constants[4];
  const spalt_color_blend* blends; /**< one for each colour target */
  uint32_t color_target_count;
  const spalt_attachment* color_targets; /**< by location */
  spalt_attachment depth, stencil;
  /** Bit i: the draw is for view i, as in VK_KHR_multiview: it is done once for each, into layer i, and shaders read i
   * as their view index. 0: once, view index 0. */
  uint32_t view_mask;
} spalt_raster_state;

/** What a draw counted. */
typedef struct spalt_draw_counters {
  size_t struct_size;
  uint64_t input_vertices, input_primitives;
  uint64_t vertex_invocations, clip_invocations, clip_primitives, fragment_invocations;
  uint64_t samples_passed; /**< of an occlusion query */
  spalt_counters waves;    /**< of all waves of all stages */
} spalt_draw_counters;

typedef struct spalt_draw_info {
  size_t struct_size;
  const spalt_program* program; /**< of a graphics pipeline, in the address space of the device */
  const uint32_t* user_data;    /**< as in spalt_dispatch_info, for all stages */
  uint32_t user_data_count;
  /** Low half of the address of the table of vertex buffers: a buffer descriptor of 16 bytes for each binding. It lies
   * in the window of the programs. */
  uint32_t vertex_buffer_table;
  const spalt_raster_state* state;

  uint32_t indexed;
  uint64_t index_address; /**< of the first index that may be read */
  uint64_t index_bytes;   /**< from there on; what is beyond reads as 0 */
  uint32_t index_size;    /**< 1, 2 or 4 bytes */
  uint32_t first;         /**< vertex, or index */
  uint32_t count;         /**< vertices, or indices */
  int32_t vertex_offset;  /**< indexed draws: added to each index */
  uint32_t first_instance, instance_count;
  uint32_t draw_index; /**< of a draw of several */

  uint64_t step_limit;    /**< as in spalt_dispatch_info */
  uint64_t border_colors; /**< likewise */
} spalt_draw_info;

/**
 * Draws, and returns when all is in memory. `counters` and `fault` may be NULL; both are written in every case. Results
 * are those of spalt_device_dispatch; a fault names the wave by its number in the draw and by its stage.
 */
SPALT_API spalt_result spalt_device_draw(spalt_device* device, const spalt_draw_info* info,
                                         spalt_draw_counters* counters, spalt_fault* fault);

#ifdef __cplusplus
}
#endif
#endif
