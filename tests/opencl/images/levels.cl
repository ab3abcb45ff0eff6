// SPDX-License-Identifier: MIT
// Reads of images with levels: at a level of detail, and with gradients.
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable

#define AT_1D(p) (p).x
#define AT_1DA(p) (p).xy
#define AT_2D(p) (p).xy
#define AT_2DA(p) (p)
#define AT_3D(p) (p)

// `more` has the level in its first component, or a gradient of two axes along x and one along y.
#define LEVEL_READ(name, image_type, AT)                                                                          \
  kernel void lod_##name(read_only image_type image, sampler_t s, global const float4* at,                       \
                         global const float4* more, global float4* out) {                                        \
    size_t i = get_global_id(0);                                                                                  \
    out[i] = read_imagef(image, s, AT(at[i]), more[i].x);                                                         \
  }
LEVEL_READ(1d, image1d_t, AT_1D)
LEVEL_READ(1da, image1d_array_t, AT_1DA)
LEVEL_READ(2d, image2d_t, AT_2D)
LEVEL_READ(2da, image2d_array_t, AT_2DA)
LEVEL_READ(3d, image3d_t, AT_3D)

#define GRADIENT_READ(name, image_type, AT, BY_X, BY_Y)                                                           \
  kernel void gradient_##name(read_only image_type image, sampler_t s, global const float4* at,                  \
                              global const float4* more, global float4* out) {                                   \
    size_t i = get_global_id(0);                                                                                  \
    out[i] = read_imagef(image, s, AT(at[i]), BY_X(more[i]), BY_Y(more[i]));                                      \
  }
#define X_OF_1D(m) (m).x
#define Y_OF_1D(m) (m).z
#define X_OF_2D(m) (m).xy
#define Y_OF_2D(m) (m).zw
#define X_OF_3D(m) (float4)((m).xy, 0.0f, 0.0f)
#define Y_OF_3D(m) (float4)((m).zw, 0.0f, 0.0f)
GRADIENT_READ(1d, image1d_t, AT_1D, X_OF_1D, Y_OF_1D)
GRADIENT_READ(1da, image1d_array_t, AT_1DA, X_OF_1D, Y_OF_1D)
GRADIENT_READ(2d, image2d_t, AT_2D, X_OF_2D, Y_OF_2D)
GRADIENT_READ(2da, image2d_array_t, AT_2DA, X_OF_2D, Y_OF_2D)
GRADIENT_READ(3d, image3d_t, AT_3D, X_OF_3D, Y_OF_3D)
