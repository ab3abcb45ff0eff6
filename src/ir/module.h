// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/function.h"

namespace spalt::ir {

/// What the module may contain; raised by passes, checked by the verifier.
enum class Stage : uint8_t {
  core,    ///< what the SPIR-V reader builds: resources, built-ins, any width
  lowered  ///< target lowering done: no `resource`, push storage, nor `builtin` but subgroup_invocation_id; entry
           ///< registers are `arg`
};

enum class BuiltIn : uint8_t {
  workgroup_id,
  num_workgroups,
  local_invocation_id,
  local_invocation_index,
  global_invocation_id,
  subgroup_size,
  subgroup_invocation_id,
  subgroup_id,
  num_subgroups
};
constexpr uint64_t builtin_imm(BuiltIn builtin, unsigned component = 0) {
  return static_cast<uint64_t>(builtin) | static_cast<uint64_t>(component) << 8;
}

/// A descriptor binding that the entry point uses.
struct Binding {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t count = 1;    ///< array elements; 0 for a runtime array of descriptors
  bool storage = false;  ///< storage buffer, else uniform buffer
  bool read_only = false;
};

/// Lowered stage: registers the hardware or the driver fills before the first instruction.
struct EntryArg {
  enum class File : uint8_t { sgpr, vgpr };
  std::string name;  ///< for dumps: "user_data_0", "workgroup_id_x"
  File file = File::sgpr;
  uint16_t reg = 0;  ///< first register of the file
  uint8_t dwords = 1;
  uint32_t max = 0xffffffff;  ///< largest value, for registers of one dword
};

/// A variable in scratch memory. Each access stays in the variables that its constant offset lies in; variables whose
/// lifetimes do not meet may share memory.
struct ScratchVariable {
  uint32_t offset = 0;
  uint32_t bytes = 0;
};

/// One compute entry point with everything it calls inlined.
struct Module {
  Stage stage = Stage::core;
  std::vector<Function> functions;  ///< the entry point is functions[0]
  std::vector<Binding> bindings;    ///< sorted by (set, binding)
  std::vector<EntryArg> args;
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};
  uint32_t shared_bytes = 0;
  uint32_t scratch_bytes = 0;                      ///< per invocation
  std::vector<ScratchVariable> scratch_variables;  ///< none: accesses may go anywhere in scratch memory
  uint32_t push_constant_bytes = 0;
  /// FLOAT_MODE byte (docs/abi/pal.md#float_mode): f32 flush, f16/f64 denormals, nearest even
  uint8_t float_mode = 0xC0;
};

}  // namespace spalt::ir
