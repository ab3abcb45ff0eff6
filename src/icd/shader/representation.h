// SPDX-License-Identifier: MIT
//
// What the compiler thinks of a shader on its way: texts for VK_KHR_pipeline_executable_properties.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include "spalt/spalt.hpp"

namespace spalt::icd {

struct Representation {
  const char* name = "";
  const char* description = "";
  std::string text;
};

/// Keeps the dumps of some passes of one compilation.
class RepresentationCapture {
 public:
  RepresentationCapture() = default;
  RepresentationCapture(const RepresentationCapture&) = delete;
  RepresentationCapture& operator=(const RepresentationCapture&) = delete;

  /// Asks the compilation for dumps, which come here: this must outlive it.
  void attach(spalt_compile_info& info);
  /// In the order of the passes. Throws what kept a dump from being kept.
  std::vector<Representation> take();

 private:
  void keep(const char* pass, const char* text);

  std::vector<Representation> kept_;
  std::exception_ptr failure_;
};

}  // namespace spalt::icd
