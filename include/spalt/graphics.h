/* SPDX-License-Identifier: MIT */
/**
 * @file graphics.h
 * The state of a graphics pipeline that the code of its stages depends on. A driver fills it from
 * VkGraphicsPipelineCreateInfo and gives it to each compilation of a stage (spalt_compile_info::graphics); what code
 * does not depend on (rasterization, tests, blending) is told to the device when it draws (draw.h).
 *
 * A pipeline is compiled from its end: first the fragment shader, then the vertex shader, which learns from the stage
 * object of the fragment shader which outputs are read (spalt_compile_info::next_stage); then spalt_link joins the two.
 * Without next_stage a vertex shader keeps all its outputs, so that it can be linked with any fragment shader. The
 * fragment shader may be told the vertex shader's words (spalt_compile_info::previous_stage). It knows the constant
 * outputs then, and leaves to the vertices what they can do.
 *
 * Where vertex input or colour targets are not known yet, stages are compiled as bodies
 * (spalt_compile_info::body_only), and small pieces bring what depends on that state (spalt_compile_piece). Linking
 * joins them in microseconds.
 *
 * Formats, rates and topologies are named by the numbers that Vulkan gives them. The conventions of spalt.h hold.
 */
#ifndef SPALT_GRAPHICS_H
#define SPALT_GRAPHICS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPALT_MAX_VERTEX_ATTRIBUTES 32
#define SPALT_MAX_VERTEX_BINDINGS 32
#define SPALT_MAX_COLOR_TARGETS 8

/** VkVertexInputBindingDescription, with the divisor of VK_EXT_vertex_attribute_divisor. */
typedef struct spalt_vertex_binding {
  uint32_t binding; /**< below SPALT_MAX_VERTEX_BINDINGS: index in the table of vertex buffers */
  uint32_t stride;  /**< bytes; greater offsets lie in later elements. 0: not known. The descriptor has what counts */
  uint32_t per_instance;
  uint32_t divisor; /**< of instances; 1 is Vulkan's default */
} spalt_vertex_binding;

/** VkVertexInputAttributeDescription. */
typedef struct spalt_vertex_attribute {
  uint32_t location, binding;
  uint32_t format; /**< VkFormat; of three and four components of 64 bits: at the next location, too */
  uint32_t offset; /**< bytes */
} spalt_vertex_attribute;

/** What the code that exports a colour must know of its target. */
typedef struct spalt_color_target {
  uint32_t format;     /**< VkFormat; 0: there is no attachment */
  uint32_t write_mask; /**< VkColorComponentFlags; 0: nothing is exported */
  uint32_t blend;      /**< 1: blended */
  /** 1: a blend factor of the target reads the alpha of the source. */
  uint32_t blend_reads_alpha;
} spalt_color_target;

typedef struct spalt_graphics_state {
  size_t struct_size;
  const spalt_vertex_binding* vertex_bindings;
  size_t vertex_binding_count, vertex_binding_size; /**< size: sizeof(spalt_vertex_binding) */
  const spalt_vertex_attribute* vertex_attributes;
  size_t vertex_attribute_count, vertex_attribute_size;
  /** VkPrimitiveTopology; of dynamic ones any of the class. That is 0 for points: a fragment shader that is no body
   * takes its inputs for the same all over a primitive then. */
  uint32_t topology;
  uint32_t provoking_last;     /**< 1: flat attributes come from the last vertex of a primitive */
  uint32_t rasterizer_discard; /**< 1: there are no fragments */
  uint32_t samples;            /**< 1, 2, 4, 8 or 16; 0 means 1, of a body not known */
  float min_sample_shading;    /**< 0: off; else the fraction of the samples that have an invocation of their own */
  uint32_t alpha_to_coverage, alpha_to_one;
  uint32_t dual_source_blend;              /**< 1: target 0 blends with two sources */
  const spalt_color_target* color_targets; /**< by location */
  size_t color_target_count, color_target_size;
} spalt_graphics_state;

#ifdef __cplusplus
}
#endif
#endif
