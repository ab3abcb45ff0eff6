// SPDX-License-Identifier: MIT
#include "coverage.h"

#include <vector>

namespace spalt::opencl {
namespace {

using isa::Format;
using isa::Opcode;

struct Group {
  const char* name;
  std::vector<Format> formats;
};
/// An opcode belongs to the first group that has one of its formats.
const std::vector<Group>& groups() {
  static const std::vector<Group> all = {
      {"scalar", {Format::sop1, Format::sop2, Format::sopk, Format::sopc, Format::sopp}},
      {"scalar memory", {Format::smem}},
      {"vector", {Format::vop1, Format::vop2, Format::vopc, Format::vop3, Format::vop3p}},
      {"LDS", {Format::ds}},
      {"flat", {Format::flat, Format::global, Format::scratch}},
      {"buffer", {Format::mubuf, Format::mtbuf}},
  };
  return all;
}

bool exists_in(Opcode opcode, const Group& group, isa::Generation generation) {
  for (const Format format : group.formats) {
    if (isa::opcode_number(opcode, format, generation) >= 0) return true;
  }
  return false;
}

const char* generation_name(isa::Generation generation) {
  constexpr const char* kNames[] = {"gfx9", "gfx10.1", "gfx10.3", "gfx11", "gfx11.5", "gfx12"};
  return kNames[static_cast<size_t>(generation)];
}

std::string wrapped(const std::vector<std::string>& names) {
  std::string text;
  size_t column = 0;
  for (const std::string& name : names) {
    if (column == 0 || column + name.size() > 110) {
      text += column == 0 ? "    " : "\n    ";
      column = 4;
    }
    text += name + " ";
    column += name.size() + 1;
  }
  return names.empty() ? "" : text + "\n";
}

}  // namespace

std::string Coverage::report() const {
  std::string text;
  for (const auto& [generation, executed] : executed_) {
    text += std::string("coverage of ") + generation_name(generation) + "\n";
    for (const Group& group : groups()) {
      size_t all = 0;
      std::vector<std::string> missing;
      for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
        const auto opcode = static_cast<Opcode>(i);
        if (!exists_in(opcode, group, generation)) continue;
        ++all;
        if (!executed.contains(opcode)) missing.emplace_back(isa::info(opcode, generation).name);
      }
      text += std::string("  ") + group.name + ": " + std::to_string(all - missing.size()) + " of " +
              std::to_string(all) + " executed; not executed:\n" + wrapped(missing);
    }
  }
  return text;
}

}  // namespace spalt::opencl
