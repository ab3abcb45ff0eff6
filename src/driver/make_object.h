// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/abi/compute_interface.h"
#include "amdgpu/encode/encode.h"
#include "amdgpu/object/shader_object.h"
#include "driver/options.h"
#include "ir/module.h"

namespace spalt::driver {

/// Gathers what each stage knows about the program for the object writer.
object::ShaderObject make_object(const ir::Module& module, const mir::Function& function,
                                 const abi::ComputeInterface& interface, std::span<const uint32_t> words,
                                 const Options& options);

Statistics make_statistics(const ir::Module& module, const mir::Function& function, const encode::Program& program,
                           const Options& options);

}  // namespace spalt::driver
