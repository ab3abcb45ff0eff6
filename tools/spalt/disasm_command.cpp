// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>

#include "compiler.h"
#include "files.h"

namespace spalt_tool {
namespace {

struct Options {
  std::string path, raw_target;
  uint32_t wave_size = 0;
};

int disassemble(const Options& options) {
  std::vector<uint8_t> bytes;
  std::string error;
  if (!read_file(options.path, bytes, error)) {
    std::fprintf(stderr, "spalt: %s\n", error.c_str());
    return kInput;
  }
  spalt_disassemble_info info{};
  info.struct_size = sizeof info;
  info.target = options.raw_target.empty() ? nullptr : options.raw_target.c_str();
  info.code = bytes.data();
  info.size = bytes.size();
  info.wave_size = options.wave_size;
  spalt_text* text = nullptr;
  const spalt_result result = spalt_disassemble_code(&info, &text);
  if (result == SPALT_SUCCESS) {
    std::fputs(spalt_text_string(text), stdout);
  } else {
    std::fprintf(stderr, "spalt: %s: %s\n", options.path.c_str(),
                 text != nullptr ? spalt_text_string(text) : spalt_result_string(result));
  }
  spalt_text_destroy(text);
  return exit_code_of(result);
}

}  // namespace

void add_disasm_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command(
      "disasm", "Disassemble an AMDGPU ELF or bare code; spalt asm takes the text\nExample: spalt disasm out.elf",
      [options] { return disassemble(*options); });
  command.add_option("file", options->path, "PAL code object or other AMDGPU ELF").required();
  command.add_option("--raw", options->raw_target, "The file is bare code for this processor");
  command.add_option("--wave", options->wave_size, "Lanes per wave where the file does not say it, 32 or 64")
      .one_of({"32", "64"});
}

}  // namespace spalt_tool
