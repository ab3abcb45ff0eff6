// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>

#include "compiler.h"
#include "files.h"
#include "graphics_state.h"

namespace spalt_tool {
namespace {

struct Options {
  std::string body, target = "gfx1030", state, output, emit;
  bool verify = false;
};

int fail(const std::string& message, ExitCode code) {
  std::fprintf(stderr, "spalt: %s\n", message.c_str());
  return code;
}

void print_dump(void*, const char*, const char* text) {
  std::printf("%s\n", text);
}

int make_piece(const Options& options) {
  std::string error;
  std::vector<uint8_t> body;
  if (!read_file(options.body, body, error)) return fail(error, kInput);
  GraphicsState state;
  if (!state.read(options.state, error)) return fail(error, kInput);
  const Compiler compiler = create_compiler(options.target, error);
  if (!compiler) return fail(error, kUnsupported);
  spalt_piece_info info{};
  info.struct_size = sizeof info;
  info.body = {body.data(), body.size()};
  info.graphics = state.get();
  info.verify = options.verify ? 1 : 0;
  info.want_assembly = options.emit == "asm" ? 1 : 0;
  if (options.emit == "ir" || options.emit == "mir") {
    info.stop_after = info.dump_after = options.emit == "ir" ? "hoist_loads" : "insert_delays";
    info.dump = print_dump;
  }
  spalt_compilation* raw = nullptr;
  const spalt_result result = spalt_compile_piece(compiler.get(), &info, &raw);
  const Compilation compilation(raw);
  if (result == SPALT_STOPPED) return kOk;
  if (result != SPALT_SUCCESS) return fail(describe_failure(options.body, result, raw), exit_code_of(result));
  if (options.emit == "asm") std::fputs(spalt_compilation_assembly(raw), stdout);
  size_t size = 0;
  const void* bytes = spalt_compilation_stage_object(raw, &size);
  if (!options.output.empty() && !write_file(options.output, bytes, size, error)) return fail(error, kInput);
  return kOk;
}

}  // namespace

void add_piece_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command("piece",
                                     "Compile what completes the body of a stage (spalt compile --body): the prolog "
                                     "that fetches vertex attributes, or "
                                     "the epilog that exports colours\n"
                                     "Example: spalt piece sky.vert.stage --state sky.json -o prolog.stage --emit asm",
                                     [options] { return make_piece(*options); });
  command.add_option("body", options->body, "Stage object of the body").required();
  command.add_option("--target", options->target, "Processor that it is for").show_default();
  command.add_option("--state", options->state, "State of the graphics pipeline, as for spalt compile");
  command.add_option("-o,--output", options->output, "Where to write the stage object; - is the standard output");
  command.add_option("--emit", options->emit, "Print asm, ir (before selection) or mir (before encoding)")
      .one_of({"asm", "ir", "mir"});
  command.add_flag("--verify", options->verify, "Run all verifiers and the allocation checker between the passes");
}

}  // namespace spalt_tool
