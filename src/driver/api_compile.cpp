// SPDX-License-Identifier: MIT
// The public C API's compilations: checks the caller's structs, runs the three steps, keeps what they make.
#include <optional>

#include "amdgpu/object/stage_bytes.h"
#include "base/float_environment.h"
#include "driver/api_options.h"
#include "driver/compile_key.h"
#include "driver/make_stage.h"
#include "driver/pass_runner.h"
#include "driver/pipeline.h"
#include "spalt/source.h"

using namespace spalt;
using namespace spalt::api;
using namespace spalt::driver;

struct spalt_compilation {
  explicit spalt_compilation(const Allocation& a)
      : allocation(a),
        elf(HandleAllocator<char>(allocation)),
        stage_object(HandleAllocator<char>(allocation)),
        assembly(HandleAllocator<char>(allocation)),
        origins(HandleAllocator<spalt_code_origin>(allocation)),
        diagnostics(HandleAllocator<KeptDiagnostic>(allocation)),
        bindings(HandleAllocator<spalt_binding_location>(allocation)) {}

  const Allocation allocation;
  spalt_result result = SPALT_ERROR_INTERNAL;
  HandleBytes elf, stage_object;
  HandleText assembly;
  HandleVector<spalt_code_origin> origins;
  HandleVector<KeptDiagnostic> diagnostics;
  spalt_statistics statistics{};
  bool has_times = false;
  StageTimes times{};
  HandleVector<spalt_binding_location> bindings;
  spalt_user_data_layout layout{};
};

namespace {

/// What the caller wants in the end.
enum class Goal : uint8_t { elf, stage_object };

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
  std::copy(from.workgroup_size.begin(), from.workgroup_size.end(), std::begin(to.workgroup_size));
}

void keep_layout(spalt_compilation& c, const StageOutput& output) {
  c.bindings.reserve(output.bindings.size());
  for (const BindingPlace& place : output.bindings) {
    c.bindings.push_back({place.set, place.binding, place.count, place.entry, place.offset, place.stride,
                          static_cast<uint32_t>(place.kind), nullptr});
  }
  c.layout.struct_size = sizeof(c.layout);
  c.layout.bindings = c.bindings.empty() ? nullptr : c.bindings.data();
  c.layout.binding_count = c.bindings.size();
  c.layout.binding_size = sizeof(spalt_binding_location);
  c.layout.push_constant_entry = output.push_constant_entry;
  c.layout.push_constant_dwords = output.push_constant_dwords;
}

/// What the caller gets, written in the arena and copied once its size is known.
Result<void> keep_code(spalt_compilation& c, const StageOutput& output, Goal goal, object::MetadataVersion version,
                       Arena& arena) {
  if (goal == Goal::stage_object) {
    const object::Bytes bytes = object::write_stage(output.stage, &arena);
    keep_bytes(c.stage_object, bytes);
    return {};
  }
  const Result<object::Bytes> elf = object::link_compiled(output.stage, version, &arena);
  if (!elf) return elf.error();
  keep_bytes(c.elf, *elf);
  return {};
}

Result<void> keep_output(spalt_compilation& c, const StageOutput& output, Goal goal, object::MetadataVersion version,
                         bool wants_times, Arena& arena) {
  c.times = output.times;
  c.has_times = wants_times;
  keep_layout(c, output);
  c.result = SPALT_STOPPED;
  if (output.stopped) return {};
  {
    std::optional<Stopwatch> watch;
    if (wants_times) watch.emplace(c.times[static_cast<size_t>(Account::object)]);
    if (Result<void> kept = keep_code(c, output, goal, version, arena); !kept) return kept;
  }
  c.assembly.assign(output.assembly.data(), output.assembly.size());
  c.origins.reserve(output.origins.size());
  for (const encode::CodeOrigin& origin : output.origins) c.origins.push_back({origin.at * 4, origin.origin});
  keep_statistics(c, statistics_of(output.stage));
  c.result = SPALT_SUCCESS;
  return {};
}

Result<void> make(spalt_compiler& compiler, const spalt_compile_info& info, Goal goal,
                  const ContextPool::Lease& context, Diagnostics& diagnostics, spalt_compilation& c) {
  Result<Options> options = read_options(compiler, info, context->arena);
  if (!options) return options.error();
  options->templates = &context.templates(*compiler.target);
  const auto version = metadata_version(*compiler.target, info.pal_abi_major, info.pal_abi_minor);
  if (!version) return version.error();
  const Result<StageOutput> output = driver::compile({info.words, info.word_count}, *options, diagnostics, *context);
  if (!output) return output.error();
  return keep_output(c, *output, goal, *version, options->want_part_times, context->arena);
}

Result<void> make(spalt_compiler& compiler, const spalt_piece_info& info, Goal goal, const ContextPool::Lease& context,
                  Diagnostics& diagnostics, spalt_compilation& c) {
  Result<Options> options = read_piece_options(compiler, info, context->arena);
  if (!options) return options.error();
  options->templates = &context.templates(*compiler.target);
  const Result<StageOutput> output = driver::compile_piece(*options, diagnostics, *context);
  if (!output) return output.error();
  return keep_output(c, *output, goal, object::MetadataVersion::v3_0, options->want_part_times, context->arena);
}

/// Everything that can go wrong comes back as an Error, apart from lack of memory.
template <class Info>
Result<void> run(spalt_compiler& compiler, const Info& info, Goal goal, spalt_compilation& c) {
  const DefaultFloatEnvironment environment;
  Diagnostics diagnostics;
  Result<void> done = contain([&] {
    const ContextPool::Lease context(compiler.contexts);
    return make(compiler, info, goal, context, diagnostics, c);
  });
  if (!done) c.diagnostics.emplace_back(c.allocation, done.error(), SPALT_SEVERITY_ERROR);
  for (const Error& error : diagnostics.more_errors) {
    c.diagnostics.emplace_back(c.allocation, error, SPALT_SEVERITY_ERROR);
  }
  for (const Error& warning : diagnostics.warnings) {
    c.diagnostics.emplace_back(c.allocation, warning, SPALT_SEVERITY_WARNING);
  }
  return done;
}

template <class Info>
spalt_result compile(spalt_compiler* compiler, const Info* info, Goal goal, spalt_compilation** compilation) {
  if (compilation == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *compilation = nullptr;
  if (compiler == nullptr || info == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_result result = guarded([&] {
    *compilation = create_handle<spalt_compilation>(compiler->allocation);
    const Result<void> done = run(*compiler, read_struct(info), goal, **compilation);
    if (!done) (*compilation)->result = to_result(done.error().status);
    return (*compilation)->result;
  });
  if (result == SPALT_ERROR_OUT_OF_MEMORY) {
    destroy_handle(*compilation);
    *compilation = nullptr;
  }
  return result;
}

const void* bytes_of(const HandleBytes* bytes, size_t* size) {
  if (size != nullptr) *size = bytes != nullptr ? bytes->size() : 0;
  return bytes != nullptr && !bytes->empty() ? bytes->data() : nullptr;
}

}  // namespace

spalt_result spalt_compile(spalt_compiler* compiler, const spalt_compile_info* info, spalt_compilation** compilation) {
  return compile(compiler, info, Goal::elf, compilation);
}

spalt_result spalt_compile_stage(spalt_compiler* compiler, const spalt_compile_info* info,
                                 spalt_compilation** compilation) {
  return compile(compiler, info, Goal::stage_object, compilation);
}

spalt_result spalt_compile_piece(spalt_compiler* compiler, const spalt_piece_info* info,
                                 spalt_compilation** compilation) {
  return compile(compiler, info, Goal::stage_object, compilation);
}

void spalt_compilation_destroy(spalt_compilation* compilation) {
  destroy_handle(compilation);
}

spalt_result spalt_compile_key(const spalt_compiler* compiler, const spalt_compile_info* info, spalt_key* key) {
  if (compiler == nullptr || info == nullptr || key == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  return guarded([&] {
    const spalt_compile_info given = read_struct(info);
    const ContextPool::Lease context(compiler->contexts);
    const Result<Options> options = read_options(*compiler, given, context->arena);
    if (!options) return to_result(options.error().status);
    const auto version = metadata_version(*compiler->target, given.pal_abi_major, given.pal_abi_minor);
    if (!version) return to_result(version.error().status);
    const CompileKey made = compile_key({given.words, given.word_count}, *options, *version, context->scratch);
    *key = {{made[0], made[1]}};
    return SPALT_SUCCESS;
  });
}

spalt_result spalt_piece_key(const spalt_compiler* compiler, const spalt_piece_info* info, spalt_key* key) {
  if (compiler == nullptr || info == nullptr || key == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  return guarded([&] {
    const ContextPool::Lease context(compiler->contexts);
    const Result<Options> options = read_piece_options(*compiler, read_struct(info), context->arena);
    if (!options) return to_result(options.error().status);
    // A stage object knows no metadata.
    const CompileKey made = compile_key({}, *options, object::MetadataVersion::v3_0, context->scratch);
    *key = {{made[0], made[1]}};
    return SPALT_SUCCESS;
  });
}

const void* spalt_compilation_elf(const spalt_compilation* compilation, size_t* size) {
  return bytes_of(compilation != nullptr ? &compilation->elf : nullptr, size);
}

const void* spalt_compilation_stage_object(const spalt_compilation* compilation, size_t* size) {
  return bytes_of(compilation != nullptr ? &compilation->stage_object : nullptr, size);
}

const char* spalt_compilation_assembly(const spalt_compilation* compilation) {
  return compilation != nullptr && !compilation->assembly.empty() ? compilation->assembly.c_str() : nullptr;
}

const spalt_code_origin* spalt_compilation_origins(const spalt_compilation* compilation, size_t* count) {
  const bool any = compilation != nullptr && !compilation->origins.empty();
  if (count != nullptr) *count = any ? compilation->origins.size() : 0;
  return any ? compilation->origins.data() : nullptr;
}

size_t spalt_compilation_diagnostic_count(const spalt_compilation* compilation) {
  return compilation != nullptr ? compilation->diagnostics.size() : 0;
}

spalt_result spalt_compilation_diagnostic(const spalt_compilation* compilation, size_t index,
                                          spalt_diagnostic* diagnostic) {
  if (diagnostic == nullptr || index >= spalt_compilation_diagnostic_count(compilation)) {
    return SPALT_ERROR_INVALID_ARGUMENT;
  }
  return write_struct(compilation->diagnostics[index].describe(), diagnostic);
}

spalt_result spalt_compilation_statistics(const spalt_compilation* compilation, spalt_statistics* statistics) {
  if (compilation == nullptr || statistics == nullptr || compilation->result != SPALT_SUCCESS) {
    return SPALT_ERROR_INVALID_ARGUMENT;
  }
  return write_struct(compilation->statistics, statistics);
}

size_t spalt_compilation_part_count(const spalt_compilation* compilation) {
  return compilation != nullptr && compilation->has_times ? compilation->times.size() : 0;
}

spalt_result spalt_compilation_part_time(const spalt_compilation* compilation, size_t index, spalt_part_time* time) {
  if (time == nullptr || index >= spalt_compilation_part_count(compilation)) return SPALT_ERROR_INVALID_ARGUMENT;
  spalt_part_time value{};
  value.part = account_name(static_cast<Account>(index));
  value.nanoseconds = compilation->times[index];
  return write_struct(value, time);
}

spalt_result spalt_compilation_layout(const spalt_compilation* compilation, spalt_user_data_layout* layout) {
  if (compilation == nullptr || layout == nullptr || compilation->result != SPALT_SUCCESS) {
    return SPALT_ERROR_INVALID_ARGUMENT;
  }
  return write_struct(compilation->layout, layout);
}
