// SPDX-License-Identifier: MIT
#include "machine_code.h"

#include <spalt/spalt.h>

#include <algorithm>
#include <memory>

#include "compiler.h"

namespace spalt_tool {
namespace {

struct AssemblyDeleter {
  void operator()(spalt_assembly* assembly) const { spalt_assembly_destroy(assembly); }
};

bool is_elf(const std::vector<uint8_t>& bytes) {
  constexpr uint8_t kMagic[] = {0x7f, 'E', 'L', 'F'};
  return bytes.size() > std::size(kMagic) && std::equal(std::begin(kMagic), std::end(kMagic), bytes.begin());
}

}  // namespace

bool is_machine_code(const std::string& path, const std::vector<uint8_t>& bytes) {
  return path.ends_with(".s") || is_elf(bytes);
}

Failure make_machine_code(const std::string& path, const std::string& target, uint32_t wave_size, MachineCode& code) {
  code.is_elf = is_elf(code.bytes);
  if (code.is_elf) return {};
  spalt_assemble_info info{};
  info.struct_size = sizeof info;
  info.target = target.c_str();
  info.text = reinterpret_cast<const char*>(code.bytes.data());
  info.text_size = code.bytes.size();
  info.wave_size = wave_size;
  info.format = SPALT_CODE_RAW;
  spalt_assembly* raw = nullptr;
  const spalt_result result = spalt_assemble(&info, &raw);
  const std::unique_ptr<spalt_assembly, AssemblyDeleter> assembly(raw);
  if (result != SPALT_SUCCESS) {
    spalt_diagnostic diagnostic{};
    diagnostic.struct_size = sizeof diagnostic;
    if (spalt_assembly_diagnostic(raw, &diagnostic) != SPALT_SUCCESS) {
      return {exit_code_of(result), path + ": " + spalt_result_string(result)};
    }
    return {exit_code_of(result), path + ":" + std::to_string(diagnostic.source_line) + ": " + diagnostic.message};
  }
  size_t size = 0;
  const auto* bytes = static_cast<const uint8_t*>(spalt_assembly_code(raw, &size));
  code.bytes.assign(bytes, bytes + size);
  return {};
}

}  // namespace spalt_tool
