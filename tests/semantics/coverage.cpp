// SPDX-License-Identifier: MIT
#include "coverage.h"

#include <algorithm>
#include <cstdio>

#include "emu/wave/handlers.h"

namespace spalt::semantics {
namespace {

/// An opcode belongs to the first group that has one of its formats.
struct Group {
  const char* name;
  std::vector<Format> formats;
  std::vector<Exempt> exempt;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all = {
      {"scalar ALU", {Format::sop1, Format::sop2, Format::sopk, Format::sopc, Format::sopp}, exempt_alu()},
      {"vector ALU", {Format::vop1, Format::vop2, Format::vopc, Format::vop3, Format::vop3p}, exempt_alu()},
      {"scalar memory", {Format::smem}, exempt_memory()},
      {"LDS", {Format::ds}, exempt_memory()},
      {"flat", {Format::flat, Format::global, Format::scratch}, exempt_memory()},
      {"buffer", {Format::mubuf, Format::mtbuf}, exempt_memory()},
  };
  return all;
}

bool has_format(Opcode opcode, const std::vector<Format>& formats, Generation generation) {
  return std::any_of(formats.begin(), formats.end(),
                     [&](Format format) { return isa::opcode_number(opcode, format, generation) >= 0; });
}

/// Opcodes of a group on a generation, by what is known about them.
struct Census {
  unsigned proven = 0;
  std::vector<std::string> exempt, unproven, not_executed;
};

Census take_census(const Group& group, Generation generation, const std::set<Opcode>& proven) {
  Census census;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (!has_format(opcode, group.formats, generation)) continue;
    const std::string name = isa::info(opcode, generation).name;
    const auto exempt = std::find_if(group.exempt.begin(), group.exempt.end(),
                                     [opcode](const Exempt& entry) { return entry.opcode == opcode; });
    if (proven.contains(opcode)) {
      ++census.proven;
    } else if (emu::handlers()[opcode] == nullptr || executing_target(generation, {opcode}) == nullptr) {
      const bool explained = exempt != group.exempt.end();
      (explained ? census.not_executed : census.unproven).push_back(name);
    } else if (exempt != group.exempt.end()) {
      census.exempt.push_back(name);
    } else {
      census.unproven.push_back(name);
    }
  }
  return census;
}

std::string list(const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string text = std::string("    ") + what + ":";
  for (const std::string& name : names) text += " " + name;
  return text + "\n";
}

template <class F>
void for_each_executed_generation(F function) {
  for (unsigned i = 0; i < isa::kGenerationCount; ++i) {
    const auto generation = static_cast<Generation>(i);
    if (executing_target(generation, {}) != nullptr) function(generation);
  }
}

}  // namespace

const isa::Target* executing_target(Generation generation, const std::vector<Opcode>& opcodes) {
  for (const isa::Target& target : isa::targets()) {
    if (target.generation != generation || !target.executes) continue;
    const Trial trial(target, 64, 0);
    if (std::all_of(opcodes.begin(), opcodes.end(), [&](Opcode opcode) { return trial.exists(opcode); })) {
      return &target;
    }
  }
  return nullptr;
}

bool Trial::exists(Opcode opcode) const {
  for (unsigned format = 1; format < static_cast<unsigned>(Format::count); ++format) {
    if (isa::opcode_number(opcode, static_cast<Format>(format), target.generation) < 0) continue;
    return target.has(isa::info(opcode, target.generation).feature);
  }
  return false;
}

const char* generation_name(Generation generation) {
  constexpr const char* kNames[] = {"gfx9", "gfx10.1", "gfx10.3", "gfx11", "gfx11.5", "gfx12"};
  return kNames[static_cast<size_t>(generation)];
}

std::vector<std::string> Coverage::unproven() const {
  std::vector<std::string> lines;
  for_each_executed_generation([&](Generation generation) {
    const auto found = proven_.find(generation);
    for (const Group& group : groups()) {
      const Census census = take_census(group, generation, found == proven_.end() ? std::set<Opcode>() : found->second);
      if (census.unproven.empty()) continue;
      std::string line = std::string(generation_name(generation)) + ", " + group.name + ": no proof of";
      for (const std::string& name : census.unproven) line += " " + name;
      lines.push_back(line);
    }
  });
  return lines;
}

std::string Coverage::table() const {
  std::string text;
  for_each_executed_generation([&](Generation generation) {
    const auto found = proven_.find(generation);
    for (const Group& group : groups()) {
      const Census census = take_census(group, generation, found == proven_.end() ? std::set<Opcode>() : found->second);
      const size_t all = census.proven + census.exempt.size() + census.unproven.size() + census.not_executed.size();
      text += std::string(generation_name(generation)) + ", " + group.name + ": " + std::to_string(all) + " exist, " +
              std::to_string(census.proven) + " proven, " + std::to_string(census.exempt.size()) + " exempt, " +
              std::to_string(census.not_executed.size()) + " not executed\n";
      text += list("exempt", census.exempt) + list("not executed", census.not_executed);
    }
  });
  return text;
}

}  // namespace spalt::semantics
