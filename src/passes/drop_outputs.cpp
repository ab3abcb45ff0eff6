// SPDX-License-Identifier: MIT
#include "passes/drop_outputs.h"

#include <algorithm>

#include "ir/interface.h"

namespace spalt::passes {
namespace {

constexpr uint8_t kAllChannels = 0xf;

bool is_wanted(const ir::InterfaceAccess& access, std::span<const uint8_t> wanted) {
  if (access.semantic != ir::Semantic::location || access.number >= wanted.size()) return true;
  const uint8_t channels = wanted[access.number];
  return access.index == 0 ? (channels >> access.component & 1) != 0 : channels != 0;
}

}  // namespace

bool drop_outputs(ir::Module& module, std::span<const uint8_t> wanted) {
  const auto takes_all = [](uint8_t channels) { return channels == kAllChannels; };
  ir::Function& function = module.functions[0];
  if (!function.operations().meets({ir::Op::output}) || std::all_of(wanted.begin(), wanted.end(), takes_all)) {
    return false;
  }
  bool changed = false;
  for (const ir::Value value : ir::insts(function, function.layout().back())) {
    const ir::Inst inst = function.inst(value);
    if (inst.op != ir::Op::output || is_wanted(ir::InterfaceAccess::unpack(inst.imm), wanted)) continue;
    function.unlink(value);
    changed = true;
  }
  return changed;
}

}  // namespace spalt::passes
