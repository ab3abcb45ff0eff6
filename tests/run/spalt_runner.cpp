// SPDX-License-Identifier: MIT
#include "spalt_runner.h"

#ifdef SPALT_RUN_EMULATOR

#include <spalt/emulator.h>
#include <spalt/spalt.h>

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "device_run.h"
#include "layout.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Dispatch;
using vkrun::Error;
using vkrun::Manifest;

template <auto destroy>
struct Destroy {
  template <typename Handle>
  void operator()(Handle* handle) const {
    destroy(handle);
  }
};

using Compiler = std::unique_ptr<spalt_compiler, Destroy<spalt_compiler_destroy>>;
using Compilation = std::unique_ptr<spalt_compilation, Destroy<spalt_compilation_destroy>>;
using Emulator = std::unique_ptr<spalt_emulator, Destroy<spalt_emulator_destroy>>;

template <typename Struct>
Struct sized() {
  Struct result{};
  result.struct_size = sizeof(Struct);
  return result;
}

Compiler create_compiler(const std::string& target) {
  auto info = sized<spalt_compiler_create_info>();
  info.target = target.c_str();
  spalt_compiler* compiler = nullptr;
  const spalt_result result = spalt_compiler_create(&info, &compiler);
  if (result != SPALT_SUCCESS) throw Error("spalt_compiler_create: " + std::string(spalt_result_string(result)));
  return Compiler(compiler);
}

std::string diagnostics_of(const spalt_compilation* compilation) {
  std::string text;
  for (size_t i = 0; compilation != nullptr && i < spalt_compilation_diagnostic_count(compilation); ++i) {
    auto diagnostic = sized<spalt_diagnostic>();
    if (spalt_compilation_diagnostic(compilation, i, &diagnostic) != SPALT_SUCCESS) continue;
    text += "; " + std::string(diagnostic.message);
    if (diagnostic.word_offset != UINT32_MAX) text += " (word " + std::to_string(diagnostic.word_offset) + ")";
  }
  return text;
}

Compilation compile(spalt_compiler* compiler, const Manifest& manifest, const Dispatch& dispatch,
                    const std::vector<uint32_t>& words, const SpaltOptions& options) {
  std::vector<spalt_specialization_entry> entries;
  std::vector<uint32_t> values;
  for (const auto& [id, value] : dispatch.spec) {
    entries.push_back({id, static_cast<uint32_t>(values.size() * 4), value.size() * 4});
    values.insert(values.end(), value.begin(), value.end());
  }
  auto info = sized<spalt_compile_info>();
  info.words = words.data();
  info.word_count = words.size();
  info.entry_point = "main";
  info.specialization_entries = entries.data();
  info.specialization_entry_count = entries.size();
  info.specialization_entry_size = sizeof(spalt_specialization_entry);
  info.specialization_data = values.data();
  info.specialization_data_size = values.size() * 4;
  info.wave_size = options.wave;
  info.wgp_mode = options.wgp_mode ? 1 : 0;
  info.verify = options.verify ? 1 : 0;
  info.max_vgprs = options.limits.vgprs;
  info.max_sgprs = options.limits.sgprs;
  info.optimization = options.fast ? SPALT_OPTIMIZATION_FAST : SPALT_OPTIMIZATION_FULL;
  std::unique_ptr<Layout> layout;
  if (needs_own_layout(manifest)) {
    layout = std::make_unique<Layout>(manifest);
    info.layout = layout->get();
  }
  if (manifest.robust) {
    info.uniform_buffer_robustness = info.storage_buffer_robustness = SPALT_ROBUSTNESS_2;
    info.null_descriptors = 1;
  }
  spalt_compilation* handle = nullptr;
  const spalt_result result = spalt_compile(compiler, &info, &handle);
  Compilation compilation(handle);
  if (result != SPALT_SUCCESS) {
    throw Error("compiling " + dispatch.shader + ": " + spalt_result_string(result) + diagnostics_of(handle));
  }
  return compilation;
}

/// Loaders must have nothing to say about the ELF.
void check_metadata(const Dispatch& dispatch, const spalt_compilation* compilation) {
  size_t size = 0;
  const void* elf = spalt_compilation_elf(compilation, &size);
  spalt_metadata* handle = nullptr;
  const spalt_result result = spalt_metadata_read(elf, size, &handle);
  std::string findings;
  for (size_t i = 0; i < spalt_metadata_finding_count(handle); ++i) {
    auto finding = sized<spalt_metadata_finding>();
    if (spalt_metadata_get_finding(handle, i, &finding) != SPALT_SUCCESS) continue;
    findings += std::string("; ") + finding.path + ": " + finding.message;
  }
  spalt_metadata_destroy(handle);
  if (result == SPALT_SUCCESS && findings.empty()) return;
  throw Error("metadata of " + dispatch.shader + ": " + spalt_result_string(result) + findings);
}

/// The code names no register that the metadata does not grant, and none beyond the caller's limits.
void check_registers(const Dispatch& dispatch, const spalt_compilation* compilation, const SpaltOptions& options) {
  size_t size = 0;
  const void* elf = spalt_compilation_elf(compilation, &size);
  spalt_text* handle = nullptr;
  const spalt_result result = spalt_disassemble(elf, size, &handle);
  const std::unique_ptr<spalt_text, Destroy<spalt_text_destroy>> text(handle);
  auto statistics = sized<spalt_statistics>();
  if (result != SPALT_SUCCESS || spalt_compilation_statistics(compilation, &statistics) != SPALT_SUCCESS) {
    throw Error("disassembling " + dispatch.shader + ": " + spalt_result_string(result));
  }
  const auto check = [&](const char* file, uint32_t named, uint32_t granted, uint32_t limit) {
    if (named <= granted && (limit == 0 || granted <= limit)) return;
    throw Error(dispatch.shader + " names " + std::to_string(named) + " " + file + "s, the metadata grants " +
                std::to_string(granted) + ", the limit is " + std::to_string(limit));
  };
  const Registers use = registers_named(spalt_text_string(text.get()));
  check("VGPR", use.vgprs, statistics.vgprs, options.limits.vgprs);
  check("SGPR", use.sgprs, statistics.sgprs, options.limits.sgprs);
}

/// Executes dispatches one after another on the same resources.
class Execution {
 public:
  virtual ~Execution() = default;
  virtual void run(const Dispatch& dispatch, const spalt_compilation* compilation) = 0;
  virtual BufferContents contents() const = 0;
};

spalt_user_data_layout layout_of(const spalt_compilation* compilation) {
  auto layout = sized<spalt_user_data_layout>();
  if (spalt_compilation_layout(compilation, &layout) != SPALT_SUCCESS) throw Error("the compilation has no layout");
  return layout;
}

/// By emulator.h, which has buffers without a format.
class EmulatorExecution : public Execution {
 public:
  EmulatorExecution(const Manifest& manifest, std::optional<uint64_t> hierarchy_seed)
      : hierarchy_seed_(hierarchy_seed), contents_(vkrun::initial_contents(manifest)) {
    spalt_emulator* handle = nullptr;
    if (spalt_emulator_create(&handle) != SPALT_SUCCESS) throw Error("cannot create an emulator");
    emulator_.reset(handle);
    for (size_t i = 0; i < manifest.buffers.size(); ++i) {
      const vkrun::BufferDesc& desc = manifest.buffers[i];
      if (desc.null) continue;  // the emulator keeps a descriptor of zeros there
      check(spalt_emulator_set_buffer(handle, desc.set, desc.binding, desc.element, contents_[i].data(),
                                      contents_[i].size()),
            "binding a buffer");
    }
  }

  void run(const Dispatch& dispatch, const spalt_compilation* compilation) override {
    size_t elf_size = 0;
    const void* elf = spalt_compilation_elf(compilation, &elf_size);
    spalt_emulator* emulator = emulator_.get();
    check(spalt_emulator_load(emulator, elf, elf_size), "loading " + dispatch.shader);
    const spalt_user_data_layout layout = layout_of(compilation);
    check(spalt_emulator_set_layout(emulator, &layout), "setting the layout");
    check(spalt_emulator_set_push_constants(emulator, dispatch.push.data(), dispatch.push.size() * 4),
          "setting push constants");
    auto info = sized<spalt_emulator_dispatch_info>();
    for (size_t i = 0; i < 3; ++i) info.grid[i] = dispatch.groups[i];
    info.threads = 2;
    info.memory_hierarchy = hierarchy_seed_.has_value() ? 1 : 0;
    info.hierarchy_seed = hierarchy_seed_.value_or(0);
    check(spalt_emulator_dispatch(emulator, &info), "running " + dispatch.shader);
  }

  BufferContents contents() const override { return contents_; }

 private:
  void check(spalt_result result, const std::string& what) const {
    if (result == SPALT_SUCCESS) return;
    throw Error(what + ": " + spalt_result_string(result) + ": " + spalt_emulator_diagnostic(emulator_.get()));
  }

  std::optional<uint64_t> hierarchy_seed_;
  BufferContents contents_;
  Emulator emulator_;
};

/// By device.h, for everything that Vulkan's descriptors show, and for addresses.
class DeviceExecution : public Execution {
 public:
  DeviceExecution(const spalt_compiler* compiler, const Manifest& manifest, const SpaltOptions& options)
      : hierarchy_seed_(options.hierarchy_seed), run_(compiler, options.target, manifest) {}

  void run(const Dispatch& dispatch, const spalt_compilation* compilation) override {
    size_t elf_size = 0;
    const void* elf = spalt_compilation_elf(compilation, &elf_size);
    run_.dispatch(dispatch, elf, elf_size, layout_of(compilation), hierarchy_seed_);
  }
  BufferContents contents() const override { return run_.contents(); }

 private:
  std::optional<uint64_t> hierarchy_seed_;
  DeviceRun run_;
};

std::unique_ptr<Execution> make_execution(const spalt_compiler* compiler, const Manifest& manifest,
                                          const SpaltOptions& options) {
  if (manifest.has_images() || manifest.has_addresses()) {
    return std::make_unique<DeviceExecution>(compiler, manifest, options);
  }
  return std::make_unique<EmulatorExecution>(manifest, options.hierarchy_seed);
}

}  // namespace

bool is_supported(const SpaltOptions& options) {
  return spalt_target_supports(options.target.c_str(), options.wave, options.wgp_mode ? 1 : 0) != 0;
}

BufferContents run_on_spalt(const Manifest& manifest, const vkrun::ShaderWords& shaders, const SpaltOptions& options) {
  const Compiler compiler = create_compiler(options.target);
  const std::unique_ptr<Execution> execution = make_execution(compiler.get(), manifest, options);
  // Dispatches that differ in push constants alone share a pipeline, as in a driver.
  std::map<std::pair<std::string, vkrun::SpecConstants>, Compilation> pipelines;
  for (const Dispatch& dispatch : manifest.dispatches) {
    Compilation& pipeline = pipelines[{dispatch.shader, dispatch.spec}];
    if (!pipeline) {
      pipeline = compile(compiler.get(), manifest, dispatch, shaders.at(dispatch.shader), options);
      check_metadata(dispatch, pipeline.get());
      check_registers(dispatch, pipeline.get(), options);
    }
    execution->run(dispatch, pipeline.get());
  }
  return execution->contents();
}

}  // namespace spalt::run

#else  // the compiler or the emulator is not part of this build

namespace spalt::run {

bool is_supported(const SpaltOptions&) {
  return true;
}

vkrun::BufferContents run_on_spalt(const vkrun::Manifest&, const vkrun::ShaderWords&, const SpaltOptions&) {
  throw vkrun::Error("this build has no compiler or no emulator");
}

}  // namespace spalt::run

#endif
