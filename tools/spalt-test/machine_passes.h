// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::golden {

/// A pass over machine IR under the name that the command line's --dump-after uses.
struct MachinePass {
  std::string_view name;
  mir::Stage stage;  ///< what it requires
  void (*run)(mir::Function&, CompileContext&);
};

/// Null if there is none with this name.
const MachinePass* find_machine_pass(std::string_view name);

}  // namespace spalt::golden
