// SPDX-License-Identifier: MIT
#include "interp/interpreter.h"

#include <algorithm>

#include "interp/group.h"
#include "ir/verifier.h"

namespace spalt::interp {
namespace {

Error limit_error(std::string what) {
  return Error{Status::limit_exceeded, std::move(what), Error::kNoOffset, {}, 0};
}

/// Invocations of a workgroup, if everything they need fits the limits.
Result<uint32_t> count_invocations(const ir::Module& module, const Program& program, uint32_t subgroup_size,
                                   const Limits& limits) {
  if (module.shader_stage() != ir::ShaderStage::compute) {
    return Error{Status::unsupported, "the interpreter runs compute shaders only", Error::kNoOffset, {}, 0};
  }
  uint64_t count = 1;
  for (uint32_t size : module.compute().workgroup_size) {
    count *= size;
    if (count > limits.group_invocations) {
      return limit_error("a workgroup has more than " + std::to_string(limits.group_invocations) + " invocations");
    }
  }
  const uint64_t bytes = group_bytes(module, program, static_cast<uint32_t>(count), subgroup_size);
  if (bytes > limits.memory_bytes) {
    return limit_error("a workgroup needs " + std::to_string(bytes) + " bytes, more than the limit of " +
                       std::to_string(limits.memory_bytes));
  }
  return static_cast<uint32_t>(count);
}

/// Descriptors by binding and element. Elements far apart would waste memory, so their number is bounded by what the
/// module can ask for and by a fixed limit.
Result<void> bind(Context& context) {
  constexpr uint32_t kMostElements = 1u << 20;
  const auto& bindings = context.module.bindings;
  context.buffers.resize(bindings.size());
  for (const Buffer& buffer : context.dispatch.buffers) {
    const auto matches = [&](const ir::Binding& b) { return b.set == buffer.set && b.binding == buffer.binding; };
    const auto found = std::find_if(bindings.begin(), bindings.end(), matches);
    if (found == bindings.end()) continue;  // unused by this shader
    if (buffer.element >= (found->count == 0 ? kMostElements : std::min(found->count, kMostElements))) {
      return limit_error("element " + std::to_string(buffer.element) + " is outside its array of descriptors");
    }
    auto& elements = context.buffers[static_cast<size_t>(found - bindings.begin())];
    if (elements.size() <= buffer.element) elements.resize(buffer.element + size_t{1});
    elements[buffer.element] = buffer.bytes;
  }
  return {};
}

}  // namespace

Result<void> run(const ir::Module& module, const Dispatch& dispatch, const Limits& limits) {
  if (Result<void> r = ir::verify(module); !r) return r;
  if (module.stage != ir::Stage::core) {
    return Error{
        Status::unsupported, "the interpreter dispatches modules of the core stage only", Error::kNoOffset, {}, 0};
  }
  const ir::Function& entry = module.functions[0];
  if (!entry.params.empty() || dispatch.subgroup_size == 0 || dispatch.subgroup_size > kMostLanes) {
    return Error{Status::invalid_argument,
                 "an entry point has no parameters and a subgroup has 1 to 128 invocations",
                 Error::kNoOffset,
                 {},
                 0};
  }
  const Result<Program> program = decode(entry, module.float_controls());
  if (!program) return program.error();
  const Result<uint32_t> invocations = count_invocations(module, *program, dispatch.subgroup_size, limits);
  if (!invocations) return invocations.error();
  Context context{module, *program, limits, dispatch, {}, limits.steps};
  if (Result<void> r = bind(context); !r) return r;

  Group group(context, *invocations);
  for (uint32_t z = 0; z < dispatch.groups[2]; ++z) {
    for (uint32_t y = 0; y < dispatch.groups[1]; ++y) {
      for (uint32_t x = 0; x < dispatch.groups[0]; ++x) {
        if (Result<void> r = group.run({x, y, z}); !r) return r;
      }
    }
  }
  return {};
}

Result<uint64_t> call(const ir::Module& module, const ir::Function& function, std::span<const uint64_t> arguments,
                      const Limits& limits) {
  if (Result<void> r = ir::verify(module); !r) return r.error();
  const auto is_vector = [&](ir::Value param) { return function.type(param).is_vector(); };
  const bool vectors = std::any_of(function.params.begin(), function.params.end(), is_vector);
  if (arguments.size() != function.params.size() || vectors || function.return_type.is_vector()) {
    return Error{Status::invalid_argument,
                 "the arguments do not fit the scalar parameters of @" + function.name,
                 Error::kNoOffset,
                 {},
                 0};
  }
  const Result<Program> program = decode(function, module.float_controls());
  if (!program) return program.error();
  ir::Module single;
  single.bindings = module.bindings;
  single.shared_bytes = module.shared_bytes;
  single.zeroed_shared = module.zeroed_shared;
  single.scratch_bytes = module.scratch_bytes;
  single.tables = module.tables;
  const Dispatch dispatch;
  const Result<uint32_t> invocations = count_invocations(single, *program, dispatch.subgroup_size, limits);
  if (!invocations) return invocations.error();
  Context context{single, *program, limits, dispatch, {}, limits.steps};
  context.buffers.resize(single.bindings.size());
  Group group(context, *invocations);
  group.set_arguments(arguments);
  if (Result<void> r = group.run({0, 0, 0}); !r) return r.error();
  return group.returned();
}

}  // namespace spalt::interp
