// SPDX-License-Identifier: MIT
#include "device.h"

#include <spalt/spalt.h>

#include <memory>
#include <stdexcept>

#include "emu/dispatch.h"
#include "module.h"

namespace spalt::litmus {
namespace {

template <auto destroy>
struct Destroy {
  template <typename Handle>
  void operator()(Handle* handle) const {
    destroy(handle);
  }
};
using Compiler = std::unique_ptr<spalt_compiler, Destroy<spalt_compiler_destroy>>;
using Compilation = std::unique_ptr<spalt_compilation, Destroy<spalt_compilation_destroy>>;

template <typename Struct>
Struct sized() {
  Struct result{};
  result.struct_size = sizeof(Struct);
  return result;
}

Compiler create_compiler(const char* target) {
  auto info = sized<spalt_compiler_create_info>();
  info.target = target;
  spalt_compiler* handle = nullptr;
  if (spalt_compiler_create(&info, &handle) != SPALT_SUCCESS) throw std::runtime_error("no compiler for the target");
  return Compiler(handle);
}

std::string reason_of(const spalt_compilation* compilation) {
  auto diagnostic = sized<spalt_diagnostic>();
  if (compilation == nullptr || spalt_compilation_diagnostic(compilation, 0, &diagnostic) != SPALT_SUCCESS) return "";
  return diagnostic.message;
}

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
  const Compiler compiler = create_compiler(configuration.target);
  auto info = sized<spalt_compile_info>();
  info.words = words.data();
  info.word_count = words.size();
  info.wave_size = configuration.wave_size;
  info.wgp_mode = configuration.wgp_mode ? 1 : 0;
  info.verify = 1;
  spalt_compilation* handle = nullptr;
  const spalt_result result = spalt_compile(compiler.get(), &info, &handle);
  const Compilation compilation(handle);
  if (result != SPALT_SUCCESS) throw std::runtime_error("the test does not compile: " + reason_of(handle));
  size_t size = 0;
  const void* elf = spalt_compilation_elf(handle, &size);
  Result<object::ShaderObject> shader = object::read_elf({static_cast<const uint8_t*>(elf), size});
  if (!shader) throw std::runtime_error(shader.error().message);
  auto layout = sized<spalt_user_data_layout>();
  if (spalt_compilation_layout(handle, &layout) != SPALT_SUCCESS) throw std::runtime_error("the code has no layout");
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
  alignas(8) uint32_t results[2 * kResults] = {};
  emu::DispatchInfo info;
  const auto bind = [&](const Compiled::Binding& at, uint32_t* data, uint64_t size, const char* name) {
    if (at.used) info.buffers.push_back({at.entry, at.offset, reinterpret_cast<uint8_t*>(data), size, name});
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
  for (unsigned i = 0; i < kResults; ++i) result.outcome[i] = results[i];
  for (unsigned v = 0; v < kBufferVariables; ++v)
    result.outcome[kResults + v] = memory[kFirstVariable + v * kVariableStride];
  return result;
}

}  // namespace spalt::litmus
