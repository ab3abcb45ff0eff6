// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "kernel_spec.h"

namespace spalt::opencl {

/// What kernels are compiled for.
struct Configuration {
  std::string target;
  unsigned wave = 32;
  std::string optimization;          ///< "-O0"
  std::vector<std::string> options;  ///< further ones of the compiler
  std::string note;                  ///< says what they are, for people
  std::string label() const { return target + " wave" + std::to_string(wave) + " " + optimization + note; }
};

/// A folder of its own that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Compiles the file with clang-19 to a linked amdhsa code object, with the ROCm device libraries. Throws
/// std::runtime_error with the compiler's messages.
void compile_for_device(const KernelFile& file, const Configuration& configuration, const std::string& folder,
                        const std::string& output);

/// Compiles the same source for this machine to a shared library.
void compile_for_host(const KernelFile& file, const std::string& output);

}  // namespace spalt::opencl
