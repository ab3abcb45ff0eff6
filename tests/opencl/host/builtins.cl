// SPDX-License-Identifier: MIT
// The OpenCL C functions that test kernels call, for the host: written from the OpenCL C specification (sections 6.12
// and 6.13), as plainly as possible and independent of any device library. Compiled without the compiler's own header
// (-cl-no-stdinc), so that these definitions are the only ones. Functions whose exact values need a mathematical library
// are in host_math.cpp; kernels with barriers run on fibers of host_runner.cpp.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#include "types.clh"

#define OVER __attribute__((overloadable))

#include "work_items.clh"
#include "integers.clh"
#include "conversions.clh"
#include "relational.clh"
#include "floats.clh"
#include "memory.clh"
#include "atomics.clh"
