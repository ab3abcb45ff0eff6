// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace spalt::opencl {

enum class Type : uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64 };
size_t size_of(Type type);
bool is_float(Type type);
bool is_signed(Type type);

/// How the initial elements of a buffer are made (data.h).
struct Generator {
  std::string name = "zeros";
  double low = 0, high = 0;
};

/// How near a result must be to the host's.
struct Tolerance {
  double ulps = 0;        ///< 0: the same bits, apart from the payload of NaNs
  double absolute = 0;    ///< near enough whatever the ulps
  bool any_zero = false;  ///< zeros of either sign are alike
};

struct Argument {
  enum class Kind : uint8_t { in, out, inout, value, local };
  Kind kind = Kind::in;
  Type type = Type::i32;
  size_t count = 0;    ///< elements; of `local`, bytes
  uint64_t value = 0;  ///< integers only: the host calls kernels with integer registers
  Generator generator;
  Tolerance tolerance;
  bool is_buffer() const { return kind == Kind::in || kind == Kind::out || kind == Kind::inout; }
  bool is_checked() const { return kind == Kind::out || kind == Kind::inout; }
};

struct KernelSpec {
  std::string name;
  std::array<uint32_t, 3> global{1, 1, 1}, local{1, 1, 1};
  std::vector<Argument> arguments;
  std::vector<std::string> except;  ///< processors whose instruction set cannot do it
};

/// A file of kernels with the comments that say how to run them:
///
///     //! kernel NAME... global X[,Y[,Z]] local X[,Y[,Z]]       the same run for each of the names
///     //! in TYPE COUNT GENERATOR [LOW HIGH]                    then its arguments, in order
///     //! out TYPE COUNT [ulp N] [abs X] [zero]
///     //! inout TYPE COUNT GENERATOR [LOW HIGH] [ulp N] [abs X] [zero]
///     //! value TYPE INTEGER
///     //! local BYTES
///     //! except TARGET...                                      where the kernel above does not exist
///     //! options OPTION...                                     compiler options of the whole file
struct KernelFile {
  std::string path, name;
  std::vector<std::string> options;
  std::vector<KernelSpec> kernels;
};

/// Throws std::runtime_error with file and line when a comment is malformed.
KernelFile load_kernel_file(const std::string& path);

}  // namespace spalt::opencl
