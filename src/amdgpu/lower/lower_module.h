// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include "amdgpu/abi/compute_interface.h"
#include "amdgpu/abi/user_data.h"
#include "amdgpu/isa/target.h"
#include "base/result.h"
#include "ir/module.h"

namespace spalt::lower {

struct LowerConfig {
  const isa::Target* target = nullptr;
  unsigned wave_size = 32;                      ///< 32 or 64
  const abi::UserDataLayout* layout = nullptr;  ///< where the driver keeps descriptors and push constants
  std::array<uint32_t, 3> max_workgroups{65535, 65535, 65535};  ///< of a dispatch, in each dimension
};

/// The layout for offline compiles of this module.
abi::UserDataLayout default_user_data_layout(const ir::Module& module);

/// Takes the module from Stage::core to Stage::lowered: the target passes below in their order. Fails when the layout
/// lacks something that the module uses, and names types that the target part cannot do yet.
Result<abi::ComputeInterface> lower_module(ir::Module& module, const LowerConfig& config);

}  // namespace spalt::lower
