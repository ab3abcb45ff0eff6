// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>

#include "compiler.h"
#include "files.h"

namespace spalt_tool {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string target = "gfx1030", output, pal_abi;
};

struct PipelineDeleter {
  void operator()(spalt_pipeline* pipeline) const { spalt_pipeline_destroy(pipeline); }
};

int fail(const std::string& message, ExitCode code) {
  std::fprintf(stderr, "spalt: %s\n", message.c_str());
  return code;
}

int link(const Options& options) {
  std::string error;
  std::vector<std::vector<uint8_t>> files(options.files.size());
  std::vector<spalt_stage_object> stages;
  for (size_t i = 0; i < files.size(); ++i) {
    if (!read_file(options.files[i], files[i], error)) return fail(error, kInput);
    stages.push_back({files[i].data(), files[i].size()});
  }
  const Compiler compiler = create_compiler(options.target, error);
  if (!compiler) return fail(error, kUnsupported);
  spalt_link_info info{};
  info.struct_size = sizeof info;
  info.stages = stages.data();
  info.stage_count = stages.size();
  info.stage_size = sizeof(spalt_stage_object);
  if (!options.pal_abi.empty() &&
      std::sscanf(options.pal_abi.c_str(), "%u.%u", &info.pal_abi_major, &info.pal_abi_minor) != 2) {
    return fail("--pal-abi takes 2.6, 3.0 or 3.6", kUsage);
  }
  spalt_pipeline* raw = nullptr;
  const spalt_result result = spalt_link(compiler.get(), &info, &raw);
  const std::unique_ptr<spalt_pipeline, PipelineDeleter> pipeline(raw);
  if (result != SPALT_SUCCESS) {
    const char* message = raw != nullptr ? spalt_pipeline_message(raw) : nullptr;
    return fail(message != nullptr ? message : spalt_result_string(result), exit_code_of(result));
  }
  size_t size = 0;
  const void* elf = spalt_pipeline_elf(raw, &size);
  return write_file(options.output, elf, size, error) ? static_cast<int>(kOk) : fail(error, kInput);
}

}  // namespace

void add_link_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command("link",
                                     "Join stage objects of spalt compile --emit stage to the ELF of a pipeline\n"
                                     "Example: spalt link blur.stage -o blur.elf",
                                     [options] { return link(*options); });
  command.add_option("files", options->files, "Stage objects, one for each stage").required();
  command.add_option("--target", options->target, "Processor that they are for").show_default();
  command.add_option("-o,--output", options->output, "Where to write the ELF; - is the standard output").required();
  command.add_option("--pal-abi", options->pal_abi, "PAL metadata version, as for spalt compile");
}

}  // namespace spalt_tool
