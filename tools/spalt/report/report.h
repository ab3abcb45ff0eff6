// SPDX-License-Identifier: MIT
//
// One file to look at in a browser, without a network: source and intermediate forms, and beside them the code of one
// or more targets or compilers with its estimated cycles, stalls and live registers.
#pragma once
#include <spalt/source.h>

#include <memory>
#include <span>
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

  /// What one stage's code was made for, instructions of a module that was added.
  struct StageOrigins {
    spalt_shader_stage stage;
    size_t module;
    std::span<const spalt_code_origin> origins;
  };

  /// A shader with the sources that it names; `text` is that of the file itself, empty where it is a binary. Its
  /// number.
  size_t add_module(const std::string& path, const std::string& text, std::span<const uint32_t> words);
  /// The IR of a module after a pass.
  void add_form(size_t module, const std::string& name, const std::string& text);
  /// Each program of an ELF file. `label` says where they come from.
  Failure add_elf(const std::string& label, const void* bytes, size_t size, std::span<const StageOrigins> stages);
  /// An ELF file or assembly of any compiler.
  Failure add_file(const std::string& path, const std::string& target, uint32_t wave_size);
  Failure write(const std::string& path) const;

 private:
  Failure add_code(const std::string& label, const MachineCode& code, const std::string& target, uint32_t wave_size,
                   std::span<const StageOrigins> stages);

  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace spalt_tool
