// SPDX-License-Identifier: MIT
//
// One file to look at in a browser, without a network: source and intermediate forms, and beside them the code of one
// or more targets or compilers with its estimated cycles, stalls and live registers.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "machine_code.h"

namespace spalt_tool {

class Report {
 public:
  explicit Report(std::string title);
  ~Report();
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  /// A text to read beside the code: a source, or the IR after a pass.
  void add_text(const std::string& name, const std::string& text);
  /// Each program of an ELF file. `label` says where they come from.
  Failure add_elf(const std::string& label, const void* bytes, size_t size);
  /// An ELF file or assembly of any compiler.
  Failure add_file(const std::string& path, const std::string& target, uint32_t wave_size);
  Failure write(const std::string& path) const;

 private:
  Failure add_code(const std::string& label, const MachineCode& code, const std::string& target, uint32_t wave_size);

  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace spalt_tool
