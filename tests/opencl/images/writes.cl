// SPDX-License-Identifier: MIT
// Writes to images: work-item i writes value i at place i.
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
#pragma OPENCL EXTENSION cl_khr_depth_images : enable

#define AT_1D(p) (p).x
#define AT_1DA(p) (p).xy
#define AT_2D(p) (p).xy
#define AT_2DA(p) (p)
#define AT_3D(p) (p)
#define AT_BUFFER(p) (p).x

#define WRITE(name, image_type, AT, write, type)                                                             \
  kernel void name(write_only image_type image, global const float4* at, global const type* value) {         \
    size_t i = get_global_id(0);                                                                             \
    write(image, AT(convert_int4(at[i])), value[i]);                                                         \
  }
#define WRITES(suffix, image_type, AT)                         \
  WRITE(f_##suffix, image_type, AT, write_imagef, float4)      \
  WRITE(i_##suffix, image_type, AT, write_imagei, int4)        \
  WRITE(u_##suffix, image_type, AT, write_imageui, uint4)

WRITES(1d, image1d_t, AT_1D)
WRITES(1da, image1d_array_t, AT_1DA)
WRITES(2d, image2d_t, AT_2D)
WRITES(2da, image2d_array_t, AT_2DA)
WRITES(3d, image3d_t, AT_3D)
WRITES(buffer, image1d_buffer_t, AT_BUFFER)
WRITE(d_2d, image2d_depth_t, AT_2D, write_imagef, float)
