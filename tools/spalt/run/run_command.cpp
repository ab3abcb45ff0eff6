// SPDX-License-Identifier: MIT
//
// `spalt run`: compiles a compute shader and dispatches it on the emulator, as a driver would. The shader's
// declarations (ShaderBindings) say what the arguments of the command line (Resources) become: descriptors in the
// tables that the program's layout has (Machine).
#include <spalt/descriptor.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <spalt/device.hpp>

#include "compiler.h"
#include "debug_console.h"
#include "inline_layout.h"
#include "run/failure.h"
#include "run/output.h"
#include "run/resources.h"

namespace spalt_tool {
namespace {

struct Options {
  CompileOptions compile;
  std::string shader, dispatch = "1,1,1", push;
  std::vector<std::string> buffers, images, samplers, prints, writes;
  uint32_t threads = 0;
  uint64_t step_limit = 0;
  std::optional<uint64_t> hierarchy_seed;
  bool statistics = false;
  DebugConsole debug;
};

/// Everything parsed from the command line that the run needs.
struct Run {
  uint32_t grid[3];
  Resources resources;
  std::vector<uint8_t> push;
  std::vector<PrintRequest> prints;
  std::vector<WriteRequest> writes;
};

void parse(const Options& options, Run& run) {
  parse_grid(options.dispatch, run.grid);
  if (!options.push.empty()) run.push = parse_values(options.push);
  run.resources.parse(options.buffers, options.images, options.samplers);
  for (const std::string& text : options.prints) {
    const PrintRequest& request = run.prints.emplace_back(parse_print(text));
    if (request.is_image() && !run.resources.has_image(request.place))
      throw Failure{"--print names an image that --image does not give"};
    if (!request.is_image() && !run.resources.has_buffer(request.place))
      throw Failure{"--print names a buffer that --buffer does not give"};
  }
  for (const std::string& text : options.writes) {
    const Place& place = run.writes.emplace_back(parse_write(text)).place;
    if (!run.resources.has_image(place) && !run.resources.has_buffer(place))
      throw Failure{"--write " + text + ": no --image and no --buffer gives " + to_string(place)};
  }
}

void print_statistics(const spalt_counters& s) {
  std::fprintf(stderr,
               "executed %llu instructions: %llu scalar, %llu vector, %llu memory, %llu LDS, %llu lane operations\n",
               static_cast<unsigned long long>(s.instructions), static_cast<unsigned long long>(s.salu),
               static_cast<unsigned long long>(s.valu),
               static_cast<unsigned long long>(s.smem + s.vmem_loads + s.vmem_stores + s.vmem_atomics),
               static_cast<unsigned long long>(s.lds), static_cast<unsigned long long>(s.lane_operations));
}

void execute(Options& options, const Machine& machine, const spalt_compilation* compilation,
             const std::vector<uint32_t>& user_data, const Run& run) {
  size_t size = 0;
  const void* elf = spalt_compilation_elf(compilation, &size);
  const spalt_api::Program program(machine.space(), elf, size);
  if (!program.ok()) throw Failure{program.outcome().message, exit_code_of(program.outcome().result)};
  const spalt_api::Device device(spalt_api::Device::info(machine.space(), options.threads));
  if (!device.ok()) throw Failure{device.outcome().message, exit_code_of(device.outcome().result)};
  std::string error;
  if (!options.debug.attach(device.handle(), error)) throw Failure{error};
  spalt_dispatch_info info =
      spalt_api::Device::dispatch_info(program, user_data, run.grid[0], run.grid[1], run.grid[2]);
  info.step_limit = options.step_limit;
  info.memory_hierarchy = options.hierarchy_seed.has_value() ? 1 : 0;
  info.hierarchy_seed = options.hierarchy_seed.value_or(0);
  const spalt_api::Device::Report report = device.dispatch(info);
  if (!report.ok() && report.result != SPALT_STOPPED) {
    throw Failure{std::string(spalt_result_string(report.result)) + ": " + report.fault.message,
                  exit_code_of(report.result)};
  }
  if (options.statistics) print_statistics(report.counters);
}

void put_out(const Run& run) {
  for (const PrintRequest& request : run.prints) {
    if (request.is_image()) {
      print_image(run.resources.image(request.place), request);
    } else {
      print_buffer(run.resources.buffer(request.place), request);
    }
  }
  for (const WriteRequest& request : run.writes) {
    if (run.resources.has_image(request.place)) {
      write_image(run.resources.image(request.place), request);
    } else {
      write_buffer(run.resources.buffer(request.place), request);
    }
  }
}

std::array<uint32_t, 4> default_sampler_words(const spalt_compiler* compiler) {
  std::array<uint32_t, 4> words{};
  const spalt_sampler_descriptor_info state = default_sampler();
  spalt_write_sampler_descriptor(compiler, &state, words.data());
  return words;
}

void run_shader(Options& options) {
  std::string error;
  Run run;
  std::vector<uint32_t> words;
  Specialization specialization;
  parse(options, run);
  if (!parse_specialization(options.compile.specialization, specialization, error)) throw Failure{error};
  if (!load_shader(options.shader, options.compile, words, error)) throw Failure{error, kInput};
  const Compiler compiler = create_compiler(options.compile.target, error);
  if (!compiler) throw Failure{error, kUnsupported};
  spalt_compile_info info;
  fill_info(options.compile, words, specialization, info);
  InlineLayout inline_layout;
  if (!inline_layout.make(options.compile.inline_blocks, info, error)) throw Failure{error};
  info.layout = inline_layout.get();
  spalt_compilation* raw = nullptr;
  const spalt_result result = spalt_compile(compiler.get(), &info, &raw);
  const Compilation compilation(raw);
  if (result != SPALT_SUCCESS) throw Failure{describe_failure(options.shader, result, raw), exit_code_of(result)};

  const ShaderBindings bindings(info);
  run.resources.load(compiler.get(), bindings);
  auto layout = spalt_api::sized<spalt_user_data_layout>();
  spalt_compilation_layout(raw, &layout);
  Machine machine(compiler.get(), layout, default_sampler_words(compiler.get()));
  run.resources.bind(compiler.get(), bindings, machine);
  execute(options, machine, raw, machine.finish(run.push), run);
  put_out(run);
}

int run_command(Options& options) {
  try {
    run_shader(options);
    return kOk;
  } catch (const Failure& failure) {
    std::fprintf(stderr, "spalt: %s\n", failure.message.c_str());
    return failure.code;
  }
}

void add_resource_options(Command& command, Options& options) {
  command.add_option("--buffer", options.buffers,
                     "SET:BINDING[ELEMENT]=CONTENT; zeros:BYTES, f32:1,2, u32:1,2, i32:-1, iota:COUNT or a file. Of a "
                     "texel buffer SET:BINDING:FORMAT=CONTENT names the format where the shader does not");
  command.add_option(
      "--image", options.images,
      "SET:BINDING[ELEMENT][:FORMAT]=CONTENT[,OPTION...]. CONTENT is a file (PNG or KTX2), zeros:WIDTHxHEIGHTxDEPTH "
      "with one to three numbers, view:SET:BINDING for another view of an image that is given there, or null. FORMAT, "
      "such as R8G8B8A8_SRGB (spalt formats lists them), is by default the one that the shader declares, else the "
      "file's; texels of files are converted to it. A PNG has the numbers 0 to 1, in sRGB formats codes of sRGB, and 0 "
      "to 255 in formats of unsigned integers. Whether it is sampled or storage, and whether it is seen as array or "
      "cube, the shader says. OPTION: levels=N makes N levels, zeros where the file has none; layers=N of zeros, 6 for "
      "a cube; level=N or N-M and layer=N or N-M are what the view shows; swizzle=bgra, of the letters r g b a 0 1");
  command.add_option(
      "--sampler", options.samplers,
      "SET:BINDING[ELEMENT]=STATE,STATE... of a sampler or combined image sampler: nearest or linear (both of mag=, "
      "min=); mip=nearest or linear; repeat, mirrored_repeat, clamp_to_edge, clamp_to_border, mirror_clamp_to_edge "
      "(all "
      "of u=, v=, w=); border=float_transparent_black, float_opaque_black, float_opaque_white (or int_); compare=less, "
      "...; anisotropy=N; bias=X; min_lod=X; max_lod=X; reduction=min or max; unnormalized; non_seamless_cube. "
      "Default: "
      "nearest,mip=nearest,clamp_to_edge");
}

}  // namespace

void add_run_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command("run",
                                     "Compile a compute shader and execute it on the emulator\n"
                                     "Examples: spalt run saxpy.comp --dispatch 1 --push f32:2 --buffer "
                                     "0:0=f32:1,2,3,4 --buffer 0:1=zeros:16 --print 0:1:f32\n"
                                     "          spalt run blur.comp --dispatch 8,8 --image 0:0=photo.png --sampler "
                                     "0:0=linear --image 0:1=zeros:64x64 --write 0:1=blurred.png",
                                     [options] { return run_command(*options); });
  command.add_option("shader", options->shader, "Shader: GLSL (.comp), SPIR-V (.spv) or SPIR-V assembly (.spvasm)")
      .required();
  add_compile_options(command, options->compile);
  command.add_option("--dispatch", options->dispatch, "Workgroups X,Y,Z").show_default();
  add_resource_options(command, *options);
  command.add_option("--push", options->push, "Push constants, for example u32:1,f32:2.5");
  command.add_option("--print", options->prints,
                     "SET:BINDING:TYPE[:COUNT] to print after the run; u32, i32, f32 or hex of a buffer, texels of an "
                     "image");
  command.add_option("--write", options->writes,
                     "SET:BINDING=FILE to write after the run: the bytes of a buffer; an image to .ktx2, or the first "
                     "slice of its first level to .png");
  command.add_option("--threads", options->threads, "Host threads (default: all)");
  command.add_option("--step-limit", options->step_limit, "Instructions per wave before it counts as endless");
  command.add_option("--hierarchy", options->hierarchy_seed,
                     "Simulate the caches of the device; this seed decides what happens when");
  command.add_flag("--stats", options->statistics, "Tell on stderr what was executed");
  options->debug.add_options(command);
}

}  // namespace spalt_tool
