// SPDX-License-Identifier: MIT
// The public C API: checks the caller's structs, runs the pipeline, and keeps every exception inside.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "base/float_environment.h"
#include "base/ice.h"
#include "driver/api_support.h"
#include "driver/pipeline.h"
#include "spalt/spalt.h"

using namespace spalt;
using namespace spalt::driver;

struct spalt_compiler {
  Allocation allocation;
  const isa::Target* target;
};

struct spalt_compilation {
  Allocation allocation;
  spalt_result result = SPALT_ERROR_INTERNAL;
  uint8_t* elf = nullptr;
  size_t elf_size = 0;
  char* assembly = nullptr;
  char* message = nullptr;
  char* source_file = nullptr;
  uint32_t word_offset = UINT32_MAX;
  uint32_t source_line = 0;
  spalt_statistics statistics{};
  spalt_stage_time* stages = nullptr;
  size_t stage_count = 0;
  spalt_binding_location* bindings = nullptr;
  spalt_user_data_layout layout{};
};

namespace {

void keep_error(spalt_compilation& c, const Error& error) {
  c.result = to_result(error.status);
  c.word_offset = error.offset;
  c.source_line = error.source_line;
  c.message = c.allocation.copy_text(error.message);
  if (!error.source_file.empty()) c.source_file = c.allocation.copy_text(error.source_file);
}

void keep_statistics(spalt_compilation& c, const driver::Statistics& from) {
  spalt_statistics& to = c.statistics;
  to.struct_size = sizeof(to);
  to.instructions = from.instructions;
  to.code_bytes = from.code_bytes;
  to.sgprs = from.sgprs;
  to.vgprs = from.vgprs;
  to.spilled_sgprs = from.spilled_sgprs;
  to.spilled_vgprs = from.spilled_vgprs;
  to.lds_bytes = from.lds_bytes;
  to.scratch_bytes = from.scratch_bytes;
  to.wave_size = from.wave_size;
  to.waves_per_simd = from.waves_per_simd;
  std::copy(std::begin(from.workgroup_size), std::end(from.workgroup_size), std::begin(to.workgroup_size));
}

void keep_layout(spalt_compilation& c, const driver::Output& output) {
  c.layout.struct_size = sizeof(c.layout);
  c.layout.push_constant_entry = output.push_constant_entry;
  c.layout.push_constant_dwords = output.push_constant_dwords;
  c.layout.binding_count = output.bindings.size();
  if (output.bindings.empty()) return;
  c.bindings = static_cast<spalt_binding_location*>(
      c.allocation.allocate(output.bindings.size() * sizeof(spalt_binding_location)));
  c.layout.bindings = c.bindings;
  for (size_t i = 0; i < output.bindings.size(); ++i) {
    const driver::BindingPlace& place = output.bindings[i];
    c.bindings[i] = {place.set, place.binding, place.count, place.entry, place.offset, place.stride};
  }
}

void keep_output(spalt_compilation& c, const driver::Output& output) {
  c.result = output.stopped ? SPALT_STOPPED : SPALT_SUCCESS;
  if (!output.elf.empty()) {
    c.elf = static_cast<uint8_t*>(c.allocation.allocate(output.elf.size()));
    std::memcpy(c.elf, output.elf.data(), output.elf.size());
    c.elf_size = output.elf.size();
  }
  if (!output.assembly.empty()) c.assembly = c.allocation.copy_text(output.assembly);
  keep_statistics(c, output.statistics);
  keep_layout(c, output);
  c.stages = static_cast<spalt_stage_time*>(
      c.allocation.allocate(std::max<size_t>(output.stages.size(), 1) * sizeof(spalt_stage_time)));
  for (const driver::StageTime& stage : output.stages) c.stages[c.stage_count++] = {stage.stage, stage.nanoseconds};
}

Error bad_argument(const char* message) {
  Error error;
  error.status = Status::invalid_argument;
  error.message = message;
  return error;
}

Result<object::MetadataVersion> metadata_version(const isa::Target& target, uint32_t major, uint32_t minor) {
  using object::MetadataVersion;
  const std::string asked = std::to_string(major) + "." + std::to_string(minor);
  if (major == 0 && minor == 0) return target.max_metadata_major == 2 ? MetadataVersion::v2_6 : MetadataVersion::v3_0;
  if (asked != "2.6" && asked != "3.0" && asked != "3.6") {
    return Error{Status::invalid_argument, "metadata version must be 2.6, 3.0 or 3.6, or 0.0 for the target's default"};
  }
  if (major > target.max_metadata_major) {
    return Error{Status::invalid_argument,
                 "loaders for " + std::string(target.name) +
                     " read metadata version 2.6 only: version 3 came with gfx10 (asked for " + asked + ")"};
  }
  if (major < target.min_metadata_major) {
    return Error{Status::invalid_argument,
                 "loaders for " + std::string(target.name) + " read no metadata version 2.6: gfx12 needs version 3"};
  }
  return asked == "2.6" ? MetadataVersion::v2_6 : asked == "3.0" ? MetadataVersion::v3_0 : MetadataVersion::v3_6;
}

Result<abi::UserDataLayout> read_layout(const spalt_user_data_layout& given) {
  abi::UserDataLayout layout;
  layout.push_constant_entry = given.push_constant_entry;
  layout.push_constant_dwords = given.push_constant_dwords;
  uint64_t entries = uint64_t{given.push_constant_entry} + given.push_constant_dwords;
  if (given.binding_count != 0 && given.bindings == nullptr)
    return bad_argument("layout has a binding count but no bindings");
  for (size_t i = 0; i < given.binding_count; ++i) {
    const spalt_binding_location& b = given.bindings[i];
    layout.bindings.push_back({b.set, b.binding, b.offset, b.stride});
    const abi::SetLocation* known = layout.find_set(b.set);
    if (known == nullptr) {
      const auto at = std::lower_bound(layout.sets.begin(), layout.sets.end(), b.set,
                                       [](const abi::SetLocation& set, uint32_t number) { return set.set < number; });
      layout.sets.insert(at, {b.set, b.user_data_entry});
    } else if (known->entry != b.user_data_entry) {
      return bad_argument("bindings of one descriptor set must share one user-data entry");
    }
    entries = std::max<uint64_t>(entries, uint64_t{b.user_data_entry} + 1);
  }
  if (entries > 128) return bad_argument("user-data entries beyond 128 do not exist");
  std::sort(layout.bindings.begin(), layout.bindings.end(),
            [](const auto& a, const auto& b) { return a.set != b.set ? a.set < b.set : a.binding < b.binding; });
  layout.entry_count = static_cast<uint32_t>(entries);
  return layout;
}

Result<driver::Options> read_options(const spalt_compiler& compiler, const spalt_compile_info& info) {
  driver::Options options;
  options.target = compiler.target;
  if (info.words == nullptr) return bad_argument("no SPIR-V words");
  if (info.entry_point != nullptr) options.entry_point = info.entry_point;
  if (info.specialization_count != 0 && info.specializations == nullptr) {
    return bad_argument("specialization count without specializations");
  }
  for (size_t i = 0; i < info.specialization_count; ++i) {
    options.specialization.push_back({info.specializations[i].constant_id, info.specializations[i].value});
  }
  if (info.wave_size != 0 && info.wave_size != 32 && info.wave_size != 64) {
    return bad_argument("wave size must be 32 or 64, or 0 for the target's default");
  }
  if (info.wave_size == 32 && !compiler.target->has_wave32) return bad_argument("the target has no wave32");
  options.wave_size = info.wave_size != 0 ? info.wave_size : compiler.target->has_wave32 ? 32 : 64;
  if (info.wgp_mode != 0 && !compiler.target->has_wgp_mode)
    return bad_argument("the target has no work-group processor mode");
  options.wgp_mode = info.wgp_mode != 0;
  for (unsigned i = 0; i < 3; ++i) {
    if (info.max_workgroup_count[i] != 0) options.max_workgroups[i] = info.max_workgroup_count[i];
  }
  const auto metadata = metadata_version(*compiler.target, info.pal_abi_major, info.pal_abi_minor);
  if (!metadata) return metadata.error();
  options.metadata = *metadata;
  if (info.layout != nullptr) {
    auto layout = read_layout(read_struct(info.layout));
    if (!layout) return layout.error();
    options.layout = std::move(*layout);
    options.has_layout = true;
  }
  options.want_assembly = info.want_assembly != 0;
  options.verify = info.verify != 0;
  const auto known = [](const char* name) {
    const auto names = driver::pass_names();
    return std::any_of(names.begin(), names.end(), [&](const char* pass) { return std::strcmp(pass, name) == 0; });
  };
  if (info.stop_after != nullptr) {
    if (!known(info.stop_after)) return bad_argument("stop_after names no pass");
    options.stop_after = info.stop_after;
  }
  if (info.dump_after != nullptr && info.dump != nullptr) {
    if (std::strcmp(info.dump_after, "all") != 0 && !known(info.dump_after)) {
      return bad_argument("dump_after names no pass");
    }
    options.dump_after = info.dump_after;
    options.dump = [callback = info.dump, user = info.dump_user](std::string_view pass, const std::string& text) {
      callback(user, std::string(pass).c_str(), text.c_str());
    };
  }
  return options;
}

void run_compilation(const spalt_compiler& compiler, const spalt_compile_info& info, spalt_compilation& c) {
  const DefaultFloatEnvironment environment;
  try {
    const auto options = read_options(compiler, info);
    if (!options) return keep_error(c, options.error());
    const auto output = driver::compile({info.words, info.word_count}, *options);
    if (!output) return keep_error(c, output.error());
    keep_output(c, *output);
  } catch (const InternalError& bug) {
    Error error;
    error.message =
        std::string("internal error: ") + bug.what() + " (" + bug.file() + ":" + std::to_string(bug.line()) + ")";
    keep_error(c, error);
  }
}

}  // namespace

const char* spalt_result_string(spalt_result result) {
  switch (result) {
    case SPALT_SUCCESS:
      return "success";
    case SPALT_STOPPED:
      return "stopped as asked";
    case SPALT_ERROR_INVALID_ARGUMENT:
      return "invalid argument";
    case SPALT_ERROR_INVALID_INPUT:
      return "invalid input";
    case SPALT_ERROR_UNSUPPORTED:
      return "not supported";
    case SPALT_ERROR_LIMIT_EXCEEDED:
      return "limit exceeded";
    case SPALT_ERROR_OUT_OF_MEMORY:
      return "out of memory";
    case SPALT_ERROR_INTERNAL:
      return "internal error";
    case SPALT_ERROR_EXECUTION:
      return "illegal execution";
  }
  return "unknown result";
}

size_t spalt_target_count(void) {
  const auto targets = isa::targets();
  return static_cast<size_t>(
      std::count_if(targets.begin(), targets.end(), [](const isa::Target& t) { return t.compiles; }));
}

const char* spalt_target_name(size_t index) {
  for (const isa::Target& target : isa::targets()) {
    if (target.compiles && index-- == 0) return target.name;
  }
  return nullptr;
}

int spalt_target_supports(const char* target, uint32_t wave_size, uint32_t wgp_mode) {
  const isa::Target* found = target == nullptr ? nullptr : isa::find_target(target);
  if (found == nullptr || !found->compiles || (wgp_mode != 0 && !found->has_wgp_mode)) return 0;
  return wave_size == 64 || (wave_size == 32 && found->has_wave32) ? 1 : 0;
}

spalt_result spalt_compiler_create(const spalt_compiler_create_info* info, spalt_compiler** compiler) {
  if (info == nullptr || compiler == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *compiler = nullptr;
  const spalt_compiler_create_info given = read_struct(info);
  if (given.target == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const isa::Target* target = isa::find_target(given.target);
  if (target == nullptr || !target->compiles) return SPALT_ERROR_UNSUPPORTED;
  Allocation allocation;
  if (given.allocation != nullptr) {
    allocation.callbacks = read_struct(given.allocation);
    if (allocation.callbacks.allocate == nullptr || allocation.callbacks.release == nullptr) {
      return SPALT_ERROR_INVALID_ARGUMENT;
    }
  }
  try {
    *compiler =
        new (allocation.allocate(sizeof(spalt_compiler), alignof(spalt_compiler))) spalt_compiler{allocation, target};
    return SPALT_SUCCESS;
  } catch (const std::bad_alloc&) {
    return SPALT_ERROR_OUT_OF_MEMORY;
  }
}

void spalt_compiler_destroy(spalt_compiler* compiler) {
  if (compiler == nullptr) return;
  const Allocation allocation = compiler->allocation;
  compiler->~spalt_compiler();
  allocation.release(compiler);
}

spalt_result spalt_compile(spalt_compiler* compiler, const spalt_compile_info* info, spalt_compilation** compilation) {
  if (compilation == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *compilation = nullptr;
  if (compiler == nullptr || info == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  try {
    void* memory = compiler->allocation.allocate(sizeof(spalt_compilation), alignof(spalt_compilation));
    *compilation = new (memory) spalt_compilation;
    (*compilation)->allocation = compiler->allocation;
    run_compilation(*compiler, read_struct(info), **compilation);
    return (*compilation)->result;
  } catch (const std::bad_alloc&) {
    spalt_compilation_destroy(*compilation);
    *compilation = nullptr;
    return SPALT_ERROR_OUT_OF_MEMORY;
  }
}

void spalt_compilation_destroy(spalt_compilation* compilation) {
  if (compilation == nullptr) return;
  const Allocation allocation = compilation->allocation;
  for (void* memory : {static_cast<void*>(compilation->elf), static_cast<void*>(compilation->assembly),
                       static_cast<void*>(compilation->message), static_cast<void*>(compilation->source_file),
                       static_cast<void*>(compilation->stages), static_cast<void*>(compilation->bindings)}) {
    allocation.release(memory);
  }
  compilation->~spalt_compilation();
  allocation.release(compilation);
}

const void* spalt_compilation_elf(const spalt_compilation* compilation, size_t* size) {
  if (size != nullptr) *size = compilation != nullptr ? compilation->elf_size : 0;
  return compilation != nullptr ? compilation->elf : nullptr;
}

const char* spalt_compilation_assembly(const spalt_compilation* compilation) {
  return compilation != nullptr ? compilation->assembly : nullptr;
}

size_t spalt_compilation_diagnostic_count(const spalt_compilation* compilation) {
  return compilation != nullptr && compilation->message != nullptr ? 1 : 0;
}

spalt_result spalt_compilation_diagnostic(const spalt_compilation* compilation, size_t index,
                                          spalt_diagnostic* diagnostic) {
  if (diagnostic == nullptr || index >= spalt_compilation_diagnostic_count(compilation)) {
    return SPALT_ERROR_INVALID_ARGUMENT;
  }
  spalt_diagnostic value{};
  value.message = compilation->message;
  value.word_offset = compilation->word_offset;
  value.source_file = compilation->source_file;
  value.source_line = compilation->source_line;
  write_struct(diagnostic, value);
  return SPALT_SUCCESS;
}

spalt_result spalt_compilation_statistics(const spalt_compilation* compilation, spalt_statistics* statistics) {
  if (compilation == nullptr || statistics == nullptr || compilation->result != SPALT_SUCCESS) {
    return SPALT_ERROR_INVALID_ARGUMENT;
  }
  write_struct(statistics, compilation->statistics);
  return SPALT_SUCCESS;
}

size_t spalt_compilation_stage_count(const spalt_compilation* compilation) {
  return compilation != nullptr ? compilation->stage_count : 0;
}

spalt_result spalt_compilation_stage_time(const spalt_compilation* compilation, size_t index, spalt_stage_time* time) {
  if (time == nullptr || index >= spalt_compilation_stage_count(compilation)) return SPALT_ERROR_INVALID_ARGUMENT;
  *time = compilation->stages[index];
  return SPALT_SUCCESS;
}

spalt_result spalt_compilation_layout(const spalt_compilation* compilation, spalt_user_data_layout* layout) {
  if (compilation == nullptr || layout == nullptr || compilation->result != SPALT_SUCCESS) {
    return SPALT_ERROR_INVALID_ARGUMENT;
  }
  write_struct(layout, compilation->layout);
  return SPALT_SUCCESS;
}
