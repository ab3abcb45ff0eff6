// SPDX-License-Identifier: MIT
// Reads of images: work-item i reads at place i. Names are the type of the result and the kind of image.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_depth_images : enable

#define AT_1D(p) (p).x
#define AT_1DA(p) (p).xy
#define AT_2D(p) (p).xy
#define AT_2DA(p) (p)
#define AT_3D(p) (p)

// With a sampler, at coordinates of floats and of integers; without one.
#define READS(name, image_type, AT, read, result)                                                             \
  kernel void name(read_only image_type image, sampler_t s, global const float4* at, global result* out) {    \
    size_t i = get_global_id(0);                                                                              \
    out[i] = read(image, s, AT(at[i]));                                                                       \
  }                                                                                                           \
  kernel void name##_whole(read_only image_type image, sampler_t s, global const float4* at, global result* out) { \
    size_t i = get_global_id(0);                                                                              \
    out[i] = read(image, s, AT(convert_int4(at[i])));                                                         \
  }                                                                                                           \
  kernel void name##_plain(read_only image_type image, global const float4* at, global result* out) {         \
    size_t i = get_global_id(0);                                                                              \
    out[i] = read(image, AT(convert_int4(at[i])));                                                            \
  }

READS(f_1d, image1d_t, AT_1D, read_imagef, float4)
READS(f_1da, image1d_array_t, AT_1DA, read_imagef, float4)
READS(f_2d, image2d_t, AT_2D, read_imagef, float4)
READS(f_2da, image2d_array_t, AT_2DA, read_imagef, float4)
READS(f_3d, image3d_t, AT_3D, read_imagef, float4)
READS(i_1d, image1d_t, AT_1D, read_imagei, int4)
READS(i_1da, image1d_array_t, AT_1DA, read_imagei, int4)
READS(i_2d, image2d_t, AT_2D, read_imagei, int4)
READS(i_2da, image2d_array_t, AT_2DA, read_imagei, int4)
READS(i_3d, image3d_t, AT_3D, read_imagei, int4)
READS(u_1d, image1d_t, AT_1D, read_imageui, uint4)
READS(u_1da, image1d_array_t, AT_1DA, read_imageui, uint4)
READS(u_2d, image2d_t, AT_2D, read_imageui, uint4)
READS(u_2da, image2d_array_t, AT_2DA, read_imageui, uint4)
READS(u_3d, image3d_t, AT_3D, read_imageui, uint4)
READS(d_2d, image2d_depth_t, AT_2D, read_imagef, float)
READS(d_2da, image2d_array_depth_t, AT_2DA, read_imagef, float)

// Results of 16 bits, which the texture unit packs.
#define HALF_READ(name, image_type, AT)                                                                       \
  kernel void name(read_only image_type image, sampler_t s, global const float4* at, global float4* out) {    \
    size_t i = get_global_id(0);                                                                              \
    out[i] = convert_float4(read_imageh(image, s, AT(at[i])));                                                \
  }
HALF_READ(h_1d, image1d_t, AT_1D)
HALF_READ(h_2d, image2d_t, AT_2D)
HALF_READ(h_3d, image3d_t, AT_3D)

#define BUFFER_READ(name, read, result)                                                                       \
  kernel void name(read_only image1d_buffer_t image, global const float4* at, global result* out) {           \
    size_t i = get_global_id(0);                                                                              \
    out[i] = read(image, (int)at[i].x);                                                                       \
  }
BUFFER_READ(f_buffer, read_imagef, float4)
BUFFER_READ(i_buffer, read_imagei, int4)
BUFFER_READ(u_buffer, read_imageui, uint4)

// Samplers that the library makes: the number counts address modes, then filters, then normalized coordinates.
#define CONSTANT_SAMPLER(number, state)            \
  case number: {                                   \
    const sampler_t s = state;                     \
    out[i] = read_imagef(image, s, at[i].xy);      \
    break;                                         \
  }
#define CONSTANT_SAMPLERS(first, more)                                       \
  CONSTANT_SAMPLER(first + 0, CLK_ADDRESS_NONE | more)                       \
  CONSTANT_SAMPLER(first + 1, CLK_ADDRESS_CLAMP_TO_EDGE | more)              \
  CONSTANT_SAMPLER(first + 2, CLK_ADDRESS_CLAMP | more)                      \
  CONSTANT_SAMPLER(first + 3, CLK_ADDRESS_REPEAT | more)                     \
  CONSTANT_SAMPLER(first + 4, CLK_ADDRESS_MIRRORED_REPEAT | more)
kernel void constant_samplers(read_only image2d_t image, uint which, global const float4* at, global float4* out) {
  size_t i = get_global_id(0);
  switch (which) {
    CONSTANT_SAMPLERS(0, CLK_FILTER_NEAREST | CLK_NORMALIZED_COORDS_FALSE)
    CONSTANT_SAMPLERS(5, CLK_FILTER_LINEAR | CLK_NORMALIZED_COORDS_FALSE)
    CONSTANT_SAMPLERS(10, CLK_FILTER_NEAREST | CLK_NORMALIZED_COORDS_TRUE)
    CONSTANT_SAMPLERS(15, CLK_FILTER_LINEAR | CLK_NORMALIZED_COORDS_TRUE)
  }
}

// Sizes and formats.
kernel void size_1d(read_only image1d_t image, global int* out) {
  out[0] = get_image_width(image);
  out[4] = get_image_channel_data_type(image);
  out[5] = get_image_channel_order(image);
}
kernel void size_1da(read_only image1d_array_t image, global int* out) {
  out[0] = get_image_width(image);
  out[3] = get_image_array_size(image);
  out[4] = get_image_channel_data_type(image);
  out[5] = get_image_channel_order(image);
}
kernel void size_2d(read_only image2d_t image, global int* out) {
  out[0] = get_image_dim(image).x;
  out[1] = get_image_height(image);
  out[4] = get_image_channel_data_type(image);
  out[5] = get_image_channel_order(image);
}
kernel void size_2da(read_only image2d_array_t image, global int* out) {
  out[0] = get_image_width(image);
  out[1] = get_image_dim(image).y;
  out[3] = get_image_array_size(image);
  out[4] = get_image_channel_data_type(image);
  out[5] = get_image_channel_order(image);
}
kernel void size_3d(read_only image3d_t image, global int* out) {
  int4 size = get_image_dim(image);
  out[0] = get_image_width(image);
  out[1] = size.y;
  out[2] = get_image_depth(image);
  out[4] = get_image_channel_data_type(image);
  out[5] = get_image_channel_order(image);
}
