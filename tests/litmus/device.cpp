// SPDX-License-Identifier: MIT
#include "device.h"

#include <spalt/spalt.hpp>
#include <stdexcept>

#include "emu/device/dispatch.h"
#include "module.h"

namespace spalt::litmus {
namespace {

/// Enough for the tables of the one descriptor set.
constexpr size_t kUserDataEntries = 16;
/// Far more than any test needs, unless it spins for ever.
constexpr uint64_t kStepLimit = 4000;

}  // namespace

std::string Configuration::name() const {
  return std::string(target) + " wave" + std::to_string(wave_size) + (wgp_mode ? " WGP" : " CU");
}

Compiled compile(const Program& program, const Variant& variant, const Configuration& configuration) {
  const std::vector<uint32_t> words = make_module(program, variant, configuration.wave_size);
  const spalt_api::Compiler compiler(configuration.target);
  if (!compiler.ok()) throw std::runtime_error(std::string("no compiler for ") + configuration.target);
  spalt_compile_info info = compiler.info(words);
  info.wave_size = configuration.wave_size;
  info.wgp_mode = configuration.wgp_mode ? 1 : 0;
  info.verify = 1;
  const spalt_api::Compilation compilation = compiler.compile(info);
  if (!compilation.ok()) throw std::runtime_error("the test does not compile: " + compilation.message());
  const auto [elf, size] = compilation.elf();
  Result<object::StageObject> shader = object::read_elf({elf, size});
  if (!shader) throw std::runtime_error(shader.error().message);
  const spalt_user_data_layout layout = compilation.layout();
  Compiled compiled{std::move(*shader), {}};
  for (size_t i = 0; i < layout.binding_count; ++i) {
    const spalt_binding_location& at = layout.bindings[i];
    if (at.binding < compiled.buffers.size()) compiled.buffers[at.binding] = {true, at.user_data_entry, at.offset};
  }
  return compiled;
}

RunResult run(const Compiled& compiled, const Program& program, const Variant& variant, uint64_t seed,
              bool registers_wait) {
  alignas(8) uint32_t memory[kMemoryWords] = {};
  alignas(8) uint32_t results[4 * kResults] = {};  // and what was touched; each may have 64 bits
  emu::DispatchInfo info;
  const auto bind = [&](const Compiled::Binding& at, uint32_t* data, uint64_t size, const char* name) {
    if (at.used) {
      info.buffers.push_back(
          {emu::BufferForm::descriptor, at.entry, at.offset, reinterpret_cast<uint8_t*>(data), size, name});
    }
  };
  bind(compiled.buffers[0], memory, sizeof memory, "variables");
  bind(compiled.buffers[1], results, sizeof results, "results");
  info.user_data.assign(kUserDataEntries, 0);
  info.grid[0] = variant.place == Place::groups ? static_cast<uint32_t>(program.threads.size()) : 1;
  info.step_limit = kStepLimit;
  info.hierarchy = {true, seed, registers_wait};
  RunResult result;
  const Result<emu::DispatchOutcome> outcome = emu::run_dispatch(compiled.shader, info);
  result.fault = outcome.ok() ? outcome->fault : outcome.error().message;
  for (unsigned i = 0; i < kResults; ++i) result.outcome[i] = results[i * cell_bytes(variant) / 4];
  for (unsigned v = 0; v < kBufferVariables; ++v)
    result.outcome[kResults + v] = memory[kFirstVariable + v * kVariableStride];
  return result;
}

}  // namespace spalt::litmus
