// SPDX-License-Identifier: MIT
#include <spalt/emulator.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "compiler.h"
#include "debug_console.h"
#include "inline_layout.h"
#include "run_values.h"

namespace spalt_tool {
namespace {

struct Options {
  CompileOptions compile;
  std::string shader, dispatch = "1,1,1", push;
  std::vector<std::string> buffers, prints;
  uint32_t threads = 0;
  uint64_t step_limit = 0;
  std::optional<uint64_t> hierarchy_seed;
  bool statistics = false;
  DebugConsole debug;
};

struct EmulatorDeleter {
  void operator()(spalt_emulator* emulator) const { spalt_emulator_destroy(emulator); }
};
using Emulator = std::unique_ptr<spalt_emulator, EmulatorDeleter>;

int fail(const std::string& message, ExitCode code) {
  std::fprintf(stderr, "spalt: %s\n", message.c_str());
  return code;
}

int emulator_failure(const Emulator& emulator, spalt_result result) {
  return fail(std::string(spalt_result_string(result)) + ": " + spalt_emulator_diagnostic(emulator.get()),
              exit_code_of(result));
}

/// Everything parsed from the command line that the run needs.
struct Run {
  uint32_t grid[3];
  std::vector<Buffer> buffers;
  std::vector<uint8_t> push;
  std::vector<PrintRequest> prints;
};

bool parse(const Options& options, Run& run, std::string& error) {
  if (!parse_grid(options.dispatch, run.grid, error)) return false;
  if (!options.push.empty() && !parse_values(options.push, run.push, error)) return false;
  for (const std::string& text : options.buffers) {
    Buffer buffer;
    if (!parse_buffer(text, buffer, error)) return false;
    run.buffers.push_back(std::move(buffer));
  }
  for (const std::string& text : options.prints) {
    PrintRequest request;
    if (!parse_print(text, request, error)) return false;
    run.prints.push_back(request);
  }
  return true;
}

Buffer* find_buffer(Run& run, const BufferName& name) {
  for (Buffer& buffer : run.buffers) {
    if (buffer.name == name) return &buffer;
  }
  return nullptr;
}

void print_statistics(const Emulator& emulator) {
  spalt_counters s{};
  s.struct_size = sizeof s;
  if (spalt_emulator_counters(emulator.get(), &s) != SPALT_SUCCESS) return;
  std::fprintf(stderr,
               "executed %llu instructions: %llu scalar, %llu vector, %llu memory, %llu LDS, %llu lane operations\n",
               static_cast<unsigned long long>(s.instructions), static_cast<unsigned long long>(s.salu),
               static_cast<unsigned long long>(s.valu),
               static_cast<unsigned long long>(s.smem + s.vmem_loads + s.vmem_stores + s.vmem_atomics),
               static_cast<unsigned long long>(s.lds), static_cast<unsigned long long>(s.lane_operations));
}

spalt_result prepare(const Emulator& emulator, const spalt_compilation* compilation, Run& run) {
  size_t size = 0;
  const void* elf = spalt_compilation_elf(compilation, &size);
  spalt_result result = spalt_emulator_load(emulator.get(), elf, size);
  if (result != SPALT_SUCCESS) return result;
  spalt_user_data_layout layout{};
  layout.struct_size = sizeof layout;
  spalt_compilation_layout(compilation, &layout);
  result = spalt_emulator_set_layout(emulator.get(), &layout);
  if (result != SPALT_SUCCESS) return result;
  for (Buffer& buffer : run.buffers) {
    result = spalt_emulator_set_buffer(emulator.get(), buffer.name.set, buffer.name.binding, buffer.name.element,
                                       buffer.bytes.data(), buffer.bytes.size());
    if (result != SPALT_SUCCESS) return result;
  }
  return spalt_emulator_set_push_constants(emulator.get(), run.push.data(), run.push.size());
}

int execute(Options& options, const spalt_compilation* compilation, Run& run) {
  spalt_emulator* raw = nullptr;
  spalt_result result = spalt_emulator_create(&raw);
  const Emulator emulator(raw);
  if (result != SPALT_SUCCESS) return fail(spalt_result_string(result), exit_code_of(result));
  result = prepare(emulator, compilation, run);
  if (result != SPALT_SUCCESS) return emulator_failure(emulator, result);
  std::string error;
  if (!options.debug.attach(emulator.get(), error)) return fail(error, kUsage);
  spalt_emulator_dispatch_info info{};
  info.struct_size = sizeof info;
  std::copy(std::begin(run.grid), std::end(run.grid), std::begin(info.grid));
  info.threads = options.threads;
  info.step_limit = options.step_limit;
  info.memory_hierarchy = options.hierarchy_seed.has_value() ? 1 : 0;
  info.hierarchy_seed = options.hierarchy_seed.value_or(0);
  result = spalt_emulator_dispatch(emulator.get(), &info);
  if (result != SPALT_SUCCESS && result != SPALT_STOPPED) return emulator_failure(emulator, result);
  if (options.statistics) print_statistics(emulator);
  return kOk;
}

int run_shader(Options& options) {
  std::string error;
  Run run;
  std::vector<uint32_t> words;
  Specialization specialization;
  if (!parse(options, run, error)) return fail(error, kUsage);
  for (const PrintRequest& request : run.prints) {
    if (find_buffer(run, request.name) == nullptr)
      return fail("--print names a buffer that --buffer does not give", kUsage);
  }
  if (!parse_specialization(options.compile.specialization, specialization, error)) return fail(error, kUsage);
  if (!load_shader(options.shader, options.compile, words, error)) return fail(error, kInput);
  const Compiler compiler = create_compiler(options.compile.target, error);
  if (!compiler) return fail(error, kUnsupported);
  spalt_compile_info info;
  fill_info(options.compile, words, specialization, info);
  InlineLayout layout;
  if (!layout.make(options.compile.inline_blocks, info, error)) return fail(error, kUsage);
  info.layout = layout.get();
  spalt_compilation* raw = nullptr;
  const spalt_result result = spalt_compile(compiler.get(), &info, &raw);
  const Compilation compilation(raw);
  if (result != SPALT_SUCCESS) return fail(describe_failure(options.shader, result, raw), exit_code_of(result));
  const int code = execute(options, raw, run);
  if (code != kOk) return code;
  for (const PrintRequest& request : run.prints) print_buffer(*find_buffer(run, request.name), request);
  return kOk;
}

}  // namespace

void add_run_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command("run",
                                     "Compile a compute shader and execute it on the emulator\n"
                                     "Example: spalt run saxpy.comp --dispatch 1 --push f32:2 --buffer "
                                     "0:0=f32:1,2,3,4 --buffer 0:1=zeros:16 --print 0:1:f32",
                                     [options] { return run_shader(*options); });
  command.add_option("shader", options->shader, "Shader: GLSL (.comp), SPIR-V (.spv) or SPIR-V assembly (.spvasm)")
      .required();
  add_compile_options(command, options->compile);
  command.add_option("--dispatch", options->dispatch, "Workgroups X,Y,Z").show_default();
  command.add_option("--buffer", options->buffers,
                     "SET:BINDING[ELEMENT]=CONTENT; zeros:BYTES, f32:1,2, u32:1,2, i32:-1, iota:COUNT or a file");
  command.add_option("--push", options->push, "Push constants, for example u32:1,f32:2.5");
  command.add_option("--print", options->prints,
                     "SET:BINDING:TYPE[:COUNT] to print after the run; u32, i32, f32 or hex");
  command.add_option("--threads", options->threads, "Host threads (default: all)");
  command.add_option("--step-limit", options->step_limit, "Instructions per wave before it counts as endless");
  command.add_option("--hierarchy", options->hierarchy_seed,
                     "Simulate the caches of the device; this seed decides what happens when");
  command.add_flag("--stats", options->statistics, "Tell on stderr what was executed");
  options->debug.add_options(command);
}

}  // namespace spalt_tool
