// SPDX-License-Identifier: MIT
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "compiler.h"
#include "files.h"
#include "graphics_state.h"
#include "inline_layout.h"
#include "report/report.h"

namespace spalt_tool {
namespace {

struct Options {
  CompileOptions compile;
  std::vector<std::string> shaders;
  std::string state, output, emit, dump_after, stop_after, pal_abi, report;
  std::vector<std::string> beside;  ///< of the report: targets, or files with machine code
  bool statistics = false, body = false;
  Report* open_report = nullptr;  ///< what is compiled is to be shown there
  bool report_texts = false;      ///< and what it looks like on its way

  bool has_dumps() const { return !dump_after.empty() || !stop_after.empty() || emit == "ir" || emit == "mir"; }

  /// What a compile of one shader makes: a stage object rather than an ELF.
  bool makes_stage() const { return emit == "stage" || body; }
};

/// One of the shaders on its way. `info` points to the words.
struct Shader {
  std::string path;
  std::vector<uint32_t> words;
  spalt_compile_info info{};
  Compilation compilation;
  Report* report = nullptr;  ///< where its forms go, if they are wanted
  size_t module = 0;         ///< its number there
};

struct PipelineDeleter {
  void operator()(spalt_pipeline* pipeline) const { spalt_pipeline_destroy(pipeline); }
};
using Pipeline = std::unique_ptr<spalt_pipeline, PipelineDeleter>;

void print_dump(void*, const char* pass, const char* text) {
  std::printf("; after %s\n%s\n", pass, text);
}

/// The forms of a shader that a report shows: as it was read, before selection, before encoding.
void keep_dump(void* shader, const char* pass, const char* text) {
  const auto* from = static_cast<const Shader*>(shader);
  for (const char* shown : {"read", "hoist_loads", "insert_delays"}) {
    if (std::string_view(pass) == shown) from->report->add_form(from->module, std::string("after ") + pass, text);
  }
}

void print_statistics(const spalt_compilation* compilation) {
  spalt_statistics s{};
  s.struct_size = sizeof s;
  if (spalt_compilation_statistics(compilation, &s) != SPALT_SUCCESS) return;
  std::printf("instructions    %u\ncode_bytes      %u\nsgprs           %u\nvgprs           %u\n", s.instructions,
              s.code_bytes, s.sgprs, s.vgprs);
  std::printf("spilled         %u sgprs, %u vgprs\nlds_bytes       %u\nscratch_bytes   %u per lane\n", s.spilled_sgprs,
              s.spilled_vgprs, s.lds_bytes, s.scratch_bytes);
  std::printf("wave_size       %u\nwaves_per_simd  %u\nworkgroup_size  %u, %u, %u\n", s.wave_size, s.waves_per_simd,
              s.workgroup_size[0], s.workgroup_size[1], s.workgroup_size[2]);
}

int fail(const std::string& message, ExitCode code) {
  std::fprintf(stderr, "spalt: %s\n", message.c_str());
  return code;
}

/// --emit ir and --emit mir are the dump after the last pass of that kind.
const char* last_pass_of(const std::string& emit) {
  if (emit == "ir") return "hoist_loads";
  if (emit == "mir") return "insert_delays";
  return nullptr;
}

bool set_metadata_version(const std::string& text, spalt_compile_info& info) {
  if (text.empty()) return true;
  return std::sscanf(text.c_str(), "%u.%u", &info.pal_abi_major, &info.pal_abi_minor) == 2;
}

/// What is printed of one shader. Where there are several, its name stands in front.
void print_shader(const Options& options, const Shader& shader) {
  const bool several = options.shaders.size() > 1;
  if (options.emit == "asm") {
    if (several) std::printf("; %s\n", shader.path.c_str());
    std::fputs(spalt_compilation_assembly(shader.compilation.get()), stdout);
  }
  if (!options.statistics) return;
  if (several) std::printf("shader          %s\n", shader.path.c_str());
  print_statistics(shader.compilation.get());
}

/// An ELF, or a stage object, that was made of these shaders.
int deliver(const Options& options, const void* bytes, size_t size, std::initializer_list<const Shader*> shaders) {
  std::string error;
  if (options.open_report != nullptr) {
    std::vector<Report::StageOrigins> stages;
    for (const Shader* shader : shaders) {
      size_t count = 0;
      const spalt_code_origin* origins = spalt_compilation_origins(shader->compilation.get(), &count);
      stages.push_back({static_cast<spalt_shader_stage>(shader->info.stage), shader->module, {origins, count}});
    }
    const std::string& label = options.compile.target;
    if (const Failure failure = options.open_report->add_elf(label, bytes, size, stages); failure.code != kOk) {
      return fail(failure.message, failure.code);
    }
  }
  if (!options.output.empty() && !write_file(options.output, bytes, size, error)) return fail(error, kInput);
  return kOk;
}

/// kOk, also where the compilation was to stop: then there is no code.
int compile_shader(const Options& options, const Compiler& compiler, Shader& shader) {
  const bool whole = options.shaders.size() == 1 && !options.makes_stage();
  spalt_compilation* raw = nullptr;
  const spalt_result result = whole ? spalt_compile(compiler.get(), &shader.info, &raw)
                                    : spalt_compile_stage(compiler.get(), &shader.info, &raw);
  shader.compilation.reset(raw);
  if (result == SPALT_STOPPED) return kOk;
  if (result != SPALT_SUCCESS) return fail(describe_failure(shader.path, result, raw), exit_code_of(result));
  print_warnings(shader.path, raw);
  return kOk;
}

bool has_code(const Shader& shader) {
  spalt_statistics statistics{};
  statistics.struct_size = sizeof statistics;
  return spalt_compilation_statistics(shader.compilation.get(), &statistics) == SPALT_SUCCESS;
}

int compile_one(const Options& options, const Compiler& compiler, Shader& shader) {
  if (const int code = compile_shader(options, compiler, shader); code != kOk) return code;
  if (!has_code(shader)) return kOk;
  size_t size = 0;
  const void* bytes = options.makes_stage() ? spalt_compilation_stage_object(shader.compilation.get(), &size)
                                            : spalt_compilation_elf(shader.compilation.get(), &size);
  if (const int code = deliver(options, bytes, size, {&shader}); code != kOk) return code;
  print_shader(options, shader);
  return kOk;
}

spalt_stage_object stage_object_of(const Shader& shader) {
  spalt_stage_object stage{};
  stage.data = spalt_compilation_stage_object(shader.compilation.get(), &stage.size);
  return stage;
}

int link(const Options& options, const Compiler& compiler, const Shader& vertex, const Shader& fragment) {
  const std::array<spalt_stage_object, 2> stages = {stage_object_of(vertex), stage_object_of(fragment)};
  spalt_link_info info{};
  info.struct_size = sizeof info;
  info.stages = stages.data();
  info.stage_count = stages.size();
  info.stage_size = sizeof(spalt_stage_object);
  spalt_compile_info version{};
  set_metadata_version(options.pal_abi, version);
  info.pal_abi_major = version.pal_abi_major;
  info.pal_abi_minor = version.pal_abi_minor;
  spalt_pipeline* raw = nullptr;
  const spalt_result result = spalt_link(compiler.get(), &info, &raw);
  const Pipeline pipeline(raw);
  if (result != SPALT_SUCCESS) {
    const char* message = raw != nullptr ? spalt_pipeline_message(raw) : nullptr;
    return fail(message != nullptr ? message : spalt_result_string(result), exit_code_of(result));
  }
  size_t size = 0;
  const void* elf = spalt_pipeline_elf(raw, &size);
  return deliver(options, elf, size, {&vertex, &fragment});
}

/// The fragment shader first: it tells the vertex shader which outputs are read.
int compile_pipeline(const Options& options, const Compiler& compiler, Shader& vertex, Shader& fragment) {
  if (options.makes_stage()) return fail("--emit stage and --body are for one shader", kUsage);
  fragment.info.previous_stage = &vertex.info;
  if (const int code = compile_shader(options, compiler, fragment); code != kOk) return code;
  const spalt_stage_object next = stage_object_of(fragment);
  if (next.size != 0) vertex.info.next_stage = &next;
  if (const int code = compile_shader(options, compiler, vertex); code != kOk) return code;
  if (!has_code(vertex) || !has_code(fragment)) return kOk;
  if (const int code = link(options, compiler, vertex, fragment); code != kOk) return code;
  for (const Shader* shader : {&vertex, &fragment}) print_shader(options, *shader);
  return kOk;
}

/// Its number there is its place among the shaders, also for what is compiled beside it.
int add_to_report(Report& report, Shader& shader) {
  std::string text, error;
  if (!shader.path.ends_with(".spv")) {
    std::vector<uint8_t> bytes;
    if (!read_file(shader.path, bytes, error)) return fail(error, kInput);
    text.assign(bytes.begin(), bytes.end());
  }
  shader.report = &report;
  shader.module = report.add_module(shader.path, text, shader.words);
  return kOk;
}

/// Everything of the infos that the command line says.
int prepare(const Options& options, const Specialization& specialization, std::vector<Shader>& shaders) {
  std::string error;
  for (Shader& shader : shaders) {
    if (!load_shader(shader.path, options.compile, shader.words, error)) return fail(error, kInput);
    spalt_compile_info& info = shader.info;
    fill_info(options.compile, shader.words, specialization, info);
    find_stage(info);
    info.want_assembly = options.emit == "asm" ? 1 : 0;
    info.body_only = options.body ? 1 : 0;
    if (!set_metadata_version(options.pal_abi, info)) return fail("--pal-abi takes 2.6, 3.0 or 3.6", kUsage);
    const char* emit_pass = last_pass_of(options.emit);
    const bool dumps = !options.dump_after.empty() || emit_pass != nullptr;
    info.dump_after = !dumps ? nullptr : emit_pass != nullptr ? emit_pass : options.dump_after.c_str();
    info.dump = dumps ? print_dump : nullptr;
    if (options.open_report != nullptr) info.want_origins = 1;
    if (options.report_texts) {
      if (const int code = add_to_report(*options.open_report, shader); code != kOk) return code;
      info.dump_after = "all";
      info.dump = keep_dump;
      info.dump_user = &shader;
    } else {
      shader.module = static_cast<size_t>(&shader - shaders.data());
    }
    info.stop_after = !options.stop_after.empty() ? options.stop_after.c_str() : emit_pass;
  }
  return kOk;
}

Shader* find_stage(std::vector<Shader>& shaders, uint32_t stage) {
  for (Shader& shader : shaders) {
    if (shader.info.has_stage != 0 && shader.info.stage == stage) return &shader;
  }
  return nullptr;
}

int compile(const Options& options) {
  Specialization specialization;
  std::string error;
  if (!parse_specialization(options.compile.specialization, specialization, error)) return fail(error, kUsage);
  GraphicsState state;
  if (!state.read(options.state, error)) return fail(error, kInput);
  const Compiler compiler = create_compiler(options.compile.target, error);
  if (!compiler) return fail(error, kUnsupported);
  std::vector<Shader> shaders(options.shaders.size());
  for (size_t i = 0; i < shaders.size(); ++i) shaders[i].path = options.shaders[i];
  if (const int code = prepare(options, specialization, shaders); code != kOk) return code;
  std::vector<spalt_compile_info> infos;
  for (const Shader& shader : shaders) infos.push_back(shader.info);
  InlineLayout layout;
  if (!layout.make(options.compile.inline_blocks, infos, error)) return fail(error, kUsage);
  for (Shader& shader : shaders) {
    shader.info.layout = layout.get();
    shader.info.graphics = state.get();
  }
  Shader* vertex = find_stage(shaders, SPALT_STAGE_VERTEX);
  // Where nothing is rasterized, nobody reads what a vertex shader has for fragments.
  const spalt_stage_object nothing{};
  const bool has_fragments = state.get() == nullptr || state.get()->rasterizer_discard == 0;
  if (vertex != nullptr && !has_fragments) vertex->info.next_stage = &nothing;
  if (shaders.size() == 1) return compile_one(options, compiler, shaders[0]);
  Shader* fragment = find_stage(shaders, SPALT_STAGE_FRAGMENT);
  if (shaders.size() != 2 || vertex == nullptr || fragment == nullptr) {
    return fail("a pipeline of several shaders has a vertex and a fragment shader", kUsage);
  }
  return compile_pipeline(options, compiler, *vertex, *fragment);
}

bool is_target(const std::string& name) {
  for (size_t i = 0; i < spalt_target_count(); ++i) {
    if (name == spalt_target_name(i)) return true;
  }
  return false;
}

/// Compiles as without a report, then what is to stand beside that.
int compile_with_report(Options options) {
  if (options.has_dumps() || options.makes_stage()) {
    return fail("--report is for whole compilations that print no pass", kUsage);
  }
  std::string title;
  for (const std::string& path : options.shaders) title += (title.empty() ? "" : ", ") + path;
  Report report(title);
  options.compile.input.debug = true;  // lines of GLSL
  options.open_report = &report;
  options.report_texts = true;
  if (const int code = compile(options); code != kOk) return code;
  Options other = options;
  other.report_texts = other.statistics = false;
  other.output.clear();
  other.emit.clear();
  for (const std::string& beside : options.beside) {
    if (is_target(beside)) {
      other.compile.target = beside;
      if (const int code = compile(other); code != kOk) return code;
      continue;
    }
    const Failure failure = report.add_file(beside, options.compile.target, options.compile.wave_size);
    if (failure.code != kOk) return fail(failure.message, failure.code);
  }
  const Failure failure = report.write(options.report);
  return failure.code != kOk ? fail(failure.message, failure.code) : static_cast<int>(kOk);
}

}  // namespace

void add_compile_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command(
      "compile",
      "Compile a shader, or the vertex and the fragment shader of a pipeline, to an AMDGPU ELF\n"
      "Examples: spalt compile blur.comp --emit asm --stats\n"
      "          spalt compile sky.vert sky.frag --state sky.json -o sky.elf",
      [options] { return options->report.empty() ? compile(*options) : compile_with_report(*options); });
  command
      .add_option("shaders", options->shaders,
                  "Shaders: GLSL (.comp, .vert, .frag), SPIR-V (.spv) or SPIR-V assembly (.spvasm)")
      .required();
  command.add_option(
      "--state", options->state,
      "State of the graphics pipeline, a JSON file: vertex attributes, topology, samples, colour targets "
      "(docs/graphics-state.md); without it Vulkan's defaults, buffers of four 32-bit components and "
      "RGBA8 targets");
  add_compile_options(command, options->compile);
  command.add_option("-o,--output", options->output,
                     "Where to write the ELF or the stage object; - is the standard output");
  command
      .add_option("--emit", options->emit,
                  "Make an elf or a stage object (see spalt link), or print asm, ir (before selection) or mir (before "
                  "encoding)")
      .one_of({"elf", "stage", "asm", "ir", "mir"});
  command.add_flag(
      "--body", options->body,
      "Compile a vertex shader without its vertex input, or a fragment shader without its colour targets, to "
      "a stage object that spalt piece completes");
  command.add_option(
      "--report", options->report,
      "Write a page for a browser: source, IR and code with estimated cycles, stalls and live registers");
  command.add_repeated("--beside", options->beside,
                       "What the report shows beside that, may be repeated: a target, an AMDGPU ELF, or assembly (.s)");
  command.add_flag("--stats", options->statistics, "Print instruction, register and memory counts");
  command.add_option("--dump-after", options->dump_after, "Print IR or machine IR after this pass, or after all");
  command.add_option("--stop-after", options->stop_after, "End the compilation after this pass");
  command.add_option(
      "--pal-abi", options->pal_abi,
      "PAL metadata version: 2.6 up to gfx11, 3.0 or 3.6 from gfx10 on (default: 2.6 on gfx9, else 3.0)");
}

}  // namespace spalt_tool
