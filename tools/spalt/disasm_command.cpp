// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>

#include "compiler.h"
#include "shader_input.h"

namespace spalt_tool {
namespace {

int disassemble(const std::string& path) {
  std::vector<uint8_t> bytes;
  std::string error;
  if (!read_file(path, bytes, error)) {
    std::fprintf(stderr, "spalt: %s\n", error.c_str());
    return kInput;
  }
  spalt_text* text = nullptr;
  const spalt_result result = spalt_disassemble(bytes.data(), bytes.size(), &text);
  if (result == SPALT_SUCCESS) {
    std::fputs(spalt_text_string(text), stdout);
  } else {
    std::fprintf(stderr, "spalt: %s: %s\n", path.c_str(),
                 text != nullptr ? spalt_text_string(text) : spalt_result_string(result));
  }
  spalt_text_destroy(text);
  return exit_code_of(result);
}

}  // namespace

void add_disasm_command(CLI::App& app, int& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("disasm", "Disassemble an AMDGPU ELF\nExample: spalt disasm out.elf");
  command->add_option("elf", *path, "PAL code object")->required();
  command->callback([path, &exit_code] { exit_code = disassemble(*path); });
}

}  // namespace spalt_tool
