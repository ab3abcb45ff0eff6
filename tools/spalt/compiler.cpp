// SPDX-License-Identifier: MIT
#include "compiler.h"

#include <bit>
#include <charconv>
#include <cstdio>

namespace spalt_tool {
namespace {

bool parse_value(std::string_view text, uint32_t& value) {
  if (text == "true" || text == "false") {
    value = text == "true" ? 1 : 0;
    return true;
  }
  const char* end = text.data() + text.size();
  const bool hexadecimal = text.starts_with("0x");
  if (!hexadecimal && text.find_first_of(".eE") != std::string_view::npos) {
    float number = 0;
    const auto parsed = std::from_chars(text.data(), end, number);
    value = std::bit_cast<uint32_t>(number);
    return parsed.ec == std::errc() && parsed.ptr == end;
  }
  if (hexadecimal) text.remove_prefix(2);
  int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), end, number, hexadecimal ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < INT32_MIN || number > UINT32_MAX) return false;
  value = static_cast<uint32_t>(number);
  return true;
}

/// An integer of 64 bits, which ends with an l.
bool parse_wide_value(std::string_view text, uint64_t& value) {
  text.remove_suffix(1);
  const bool negative = text.starts_with("-"), hexadecimal = text.starts_with("0x");
  text.remove_prefix(negative ? 1 : hexadecimal ? 2 : 0);
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, hexadecimal ? 16 : 10);
  if (negative) value = 0 - value;
  return parsed.ec == std::errc() && parsed.ptr == end;
}

}  // namespace

void add_compile_options(Command& command, CompileOptions& options) {
  std::string names;
  for (size_t i = 0; i < spalt_target_count(); ++i) names += (i == 0 ? "" : ", ") + std::string(spalt_target_name(i));
  command.add_option("--target", options.target, "Processor: " + names).show_default();
  command.add_option("--wave", options.wave_size, "Lanes per wave, 32 or 64 (default: the target's)")
      .one_of({"32", "64"});
  command.add_flag("--wgp", options.wgp_mode, "Workgroups may spread over a work-group processor");
  command.add_option("--entry", options.entry_point, "Entry point (default: the only one)");
  command.add_option("--spec", options.specialization, "Specialization constant ID=VALUE, may be repeated");
  command.add_repeated("--inline", options.inline_blocks,
                       "SET:BINDING of a uniform block that is inline in the table of its set, may be repeated");
  command.add_option("--address-high", options.address_high,
                     "Upper half of the addresses of all tables of the driver, for example 0xffff8000 "
                     "(default: that of the code)");
  command.add_repeated("-I,--include", options.input.include_folders, "GLSL: where #include looks, may be repeated");
  command.add_repeated("-D,--define", options.input.defines, "GLSL: a macro NAME or NAME=VALUE, may be repeated");
  command.add_option("--stage", options.input.stage,
                     "GLSL: the stage, for example comp (default: the suffix of the file)");
  command.add_flag("-g,--debug", options.input.debug,
                   "GLSL: keep lines and names, so that errors of the compiler name them");
  command.add_flag("--validate", options.input.validate, "Refuse SPIR-V that the validator finds invalid");
  command.add_flag("--optimize", options.input.optimize, "Run the passes of spirv-opt for speed first");
  command.add_option("--max-vgprs", options.max_vgprs, "VGPRs of a wave that the code may use, at least 24");
  command.add_option("--max-sgprs", options.max_sgprs, "SGPRs of a wave that the code may use, at least 32");
  command
      .add_option("--optimization", options.optimization,
                  "full, or fast: for code that is wanted soon; no work on loops, no scheduling")
      .one_of({"full", "fast"})
      .show_default();
  command.add_option("--max-unroll", options.max_unroll, "Instructions that a loop may become; 1: no unrolling");
  command.add_flag("--verify", options.verify, "Run all verifiers and the allocation checker between the passes");
}

bool parse_specialization(const std::vector<std::string>& texts, Specialization& values, std::string& error) {
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    const std::string_view given = std::string_view(text).substr(equals + 1);  // all of it without one
    const bool is_wide = given.ends_with("l");
    uint32_t id = 0, value = 0;
    uint64_t wide_value = 0;
    const bool id_ok = equals != std::string::npos && parse_value(std::string_view(text).substr(0, equals), id);
    if (!id_ok || !(is_wide ? parse_wide_value(given, wide_value) : parse_value(given, value))) {
      error = "--spec " + text + ": expected ID=VALUE, for example 3=16, 4=0.5, 5=true or, of 64 bits, 6=16l";
      return false;
    }
    values.entries.push_back({id, static_cast<uint32_t>(values.data.size() * 4), is_wide ? 8u : 4u});
    values.data.push_back(is_wide ? static_cast<uint32_t>(wide_value) : value);
    if (is_wide) values.data.push_back(static_cast<uint32_t>(wide_value >> 32));
  }
  return true;
}

bool load_shader(const std::string& path, const CompileOptions& options, std::vector<uint32_t>& words,
                 std::string& error) {
  std::string messages;
  const bool loaded = shader_input::load(path, options.input, words, messages);
  if (loaded && !messages.empty()) std::fprintf(stderr, "%s\n", messages.c_str());
  if (!loaded) error = messages;
  return loaded;
}

Compiler create_compiler(const std::string& target, std::string& error) {
  spalt_compiler_create_info info{};
  info.struct_size = sizeof info;
  info.target = target.c_str();
  spalt_compiler* compiler = nullptr;
  if (spalt_compiler_create(&info, &compiler) != SPALT_SUCCESS) error = "target " + target + " is not supported";
  return Compiler(compiler);
}

void fill_info(const CompileOptions& options, const std::vector<uint32_t>& words, const Specialization& specialization,
               spalt_compile_info& info) {
  info = {};
  info.struct_size = sizeof info;
  info.words = words.data();
  info.word_count = words.size();
  info.entry_point = options.entry_point.empty() ? nullptr : options.entry_point.c_str();
  info.specialization_entries = specialization.entries.data();
  info.specialization_entry_count = specialization.entries.size();
  info.specialization_entry_size = sizeof(spalt_specialization_entry);
  info.specialization_data = specialization.data.data();
  info.specialization_data_size = specialization.data.size() * sizeof(uint32_t);
  info.has_address_high = options.address_high ? 1 : 0;
  info.address_high = options.address_high.value_or(0);
  info.wave_size = options.wave_size;
  info.wgp_mode = options.wgp_mode ? 1 : 0;
  info.verify = options.verify ? 1 : 0;
  info.max_vgprs = options.max_vgprs;
  info.max_sgprs = options.max_sgprs;
  info.max_unroll_instructions = options.max_unroll;
  info.optimization = options.optimization == "fast" ? SPALT_OPTIMIZATION_FAST : SPALT_OPTIMIZATION_FULL;
}

void find_stage(spalt_compile_info& info) {
  spalt_reflect_info wanted = reflect_info(info);
  for (const uint32_t stage : {SPALT_STAGE_COMPUTE, SPALT_STAGE_VERTEX, SPALT_STAGE_FRAGMENT}) {
    wanted.stage = stage;
    spalt_reflection* reflection = nullptr;
    const bool found = spalt_reflect(&wanted, &reflection) == SPALT_SUCCESS;
    spalt_reflection_destroy(reflection);
    if (!found) continue;
    info.stage = stage;
    info.has_stage = 1;
    return;
  }
}

spalt_reflect_info reflect_info(const spalt_compile_info& info) {
  spalt_reflect_info reflect{};
  reflect.struct_size = sizeof reflect;
  reflect.words = info.words;
  reflect.word_count = info.word_count;
  reflect.entry_point = info.entry_point;
  reflect.stage = info.has_stage != 0 ? info.stage : uint32_t{SPALT_STAGE_COMPUTE};
  reflect.has_stage = 1;
  reflect.specialization_entries = info.specialization_entries;
  reflect.specialization_entry_count = info.specialization_entry_count;
  reflect.specialization_entry_size = info.specialization_entry_size;
  reflect.specialization_data = info.specialization_data;
  reflect.specialization_data_size = info.specialization_data_size;
  return reflect;
}

const spalt_reflected_binding& reflected_binding(const spalt_reflection_info& info, size_t i) {
  const char* const bytes = reinterpret_cast<const char*>(info.bindings) + i * info.binding_size;
  return *reinterpret_cast<const spalt_reflected_binding*>(bytes);
}

namespace {

std::string describe(const spalt_diagnostic& diagnostic) {
  std::string text = diagnostic.message;
  if (diagnostic.word_offset != UINT32_MAX) text += " (word " + std::to_string(diagnostic.word_offset) + ")";
  if (diagnostic.source_file != nullptr) {
    text += std::string(" [") + diagnostic.source_file + ":" + std::to_string(diagnostic.source_line) + "]";
  }
  return text;
}

/// Calls `use` with each diagnostic of that severity.
template <class Use>
void for_each(const spalt_compilation* compilation, spalt_severity severity, Use use) {
  for (size_t i = 0; i < spalt_compilation_diagnostic_count(compilation); ++i) {
    spalt_diagnostic diagnostic{};
    diagnostic.struct_size = sizeof diagnostic;
    if (spalt_compilation_diagnostic(compilation, i, &diagnostic) != SPALT_SUCCESS) continue;
    if (diagnostic.severity == static_cast<uint32_t>(severity)) use(diagnostic);
  }
}

}  // namespace

std::string describe_failure(const std::string& path, spalt_result result, const spalt_compilation* compilation) {
  const std::string start = path + ": " + spalt_result_string(result);
  std::string text;
  for_each(compilation, SPALT_SEVERITY_ERROR, [&](const spalt_diagnostic& diagnostic) {
    text += (text.empty() ? "" : "\n") + start + ": " + describe(diagnostic);
  });
  return text.empty() ? start : text;
}

void print_warnings(const std::string& path, const spalt_compilation* compilation) {
  for_each(compilation, SPALT_SEVERITY_WARNING, [&](const spalt_diagnostic& diagnostic) {
    std::fprintf(stderr, "%s: warning: %s\n", path.c_str(), describe(diagnostic).c_str());
  });
}

ExitCode exit_code_of(spalt_result result) {
  switch (result) {
    case SPALT_SUCCESS:
    case SPALT_STOPPED:
      return kOk;
    case SPALT_ERROR_INVALID_ARGUMENT:
      return kUsage;
    case SPALT_ERROR_INVALID_INPUT:
    case SPALT_ERROR_LIMIT_EXCEEDED:
      return kInput;
    case SPALT_ERROR_UNSUPPORTED:
      return kUnsupported;
    case SPALT_ERROR_EXECUTION:
      return kExecution;
    default:
      return kInternal;
  }
}

}  // namespace spalt_tool
