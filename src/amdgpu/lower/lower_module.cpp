// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_module.h"

#include "amdgpu/lower/lower_arithmetic.h"
#include "amdgpu/lower/lower_doubles.h"
#include "amdgpu/lower/lower_float_atomics.h"
#include "amdgpu/lower/lower_image_halves.h"
#include "amdgpu/lower/lower_images.h"
#include "amdgpu/lower/lower_interface.h"
#include "amdgpu/lower/lower_narrow.h"
#include "amdgpu/lower/lower_samples.h"
#include "amdgpu/lower/lower_scans.h"
#include "amdgpu/lower/lower_shuffles.h"
#include "amdgpu/lower/lower_wide_integers.h"
#include "amdgpu/lower/make_descriptors_uniform.h"
#include "amdgpu/lower/reduce_uniform_atomics.h"
#include "amdgpu/lower/split_memory.h"
#include "amdgpu/lower/trim_loads.h"
#include "amdgpu/lower/zero_workgroup_memory.h"
#include "base/vector.h"

namespace spalt::lower {

namespace {

abi::BindingKind layout_kind(ir::BindingKind kind) {
  switch (kind) {
    case ir::BindingKind::texel_buffer:
      return abi::BindingKind::typed_buffer;
    case ir::BindingKind::image:
      return abi::BindingKind::image;
    case ir::BindingKind::sampler:
      return abi::BindingKind::sampler;
    case ir::BindingKind::combined:
      return abi::BindingKind::combined_image_sampler;
    default:
      return abi::BindingKind::raw_buffer;
  }
}

}  // namespace

abi::UserDataLayout default_user_data_layout(const ir::Module& module, Arena* arena) {
  Vector<abi::BindingShape> shapes(arena);
  shapes.reserve(module.bindings.size());
  for (const ir::Binding& binding : module.bindings) {
    shapes.push_back({binding.set, binding.binding, binding.count, layout_kind(binding.kind)});
  }
  return abi::default_user_data_layout(shapes, module.push_constant_bytes, arena);
}

Result<abi::StageInterface> lower_module(ir::Module& module, CompileContext& context, const LowerConfig& config) {
  // While there are built-ins.
  zero_workgroup_memory(module, context);
  analysis::AnalysisCache analyses(module.functions[0], &context.arena);
  reduce_uniform_atomics(module, analyses, context, config.wave_size);
  lower_scans(module, analyses, context, config.wave_size);
  lower_doubles(module.functions[0], context, module.float_controls());
  lower_wide_integers(module.functions[0], context, module.float_controls());
  lower_samples(module.functions[0], context);
  // While descriptors still have an index.
  make_descriptors_uniform(module, analyses, context);
  // Then the interface: what it makes are loads and arithmetic like any other.
  Result<abi::StageInterface> interface = lower_interface(module, analyses, context, config);
  if (!interface) return interface;
  lower_shuffles(module, analyses, context, config.wave_size > 32 && !config.target->permutes_whole_wave);
  lower_float_atomics(module, context, *config.target);
  lower_images(module.functions[0], context, *config.target);
  lower_image_halves(module.functions[0], context, *config.target);
  lower_narrow(module.functions[0], context, module.float_controls());
  lower_arithmetic(module.functions[0], context, *config.target, module.float_controls());
  trim_loads(module.functions[0], context);
  split_memory(module.functions[0], context);
  return interface;
}

}  // namespace spalt::lower
