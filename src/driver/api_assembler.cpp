// SPDX-License-Identifier: MIT
// The public C API's assembler and disassembler.
#include <memory>
#include <span>
#include <string_view>

#include "amdgpu/isa/text/assembler.h"
#include "amdgpu/object/code_elf.h"
#include "base/float_environment.h"
#include "base/ice.h"
#include "driver/api_support.h"
#include "driver/disassemble.h"

using namespace spalt;
using namespace spalt::api;
using namespace spalt::driver;

struct spalt_text {
  std::string text;
};

struct spalt_assembly {
  explicit spalt_assembly(const Allocation& a)
      : allocation(a), code(HandleAllocator<uint8_t>(allocation)), message(HandleAllocator<char>(allocation)) {}

  const Allocation allocation;
  HandleVector<uint8_t> code;
  HandleText message;
  uint32_t line = 0, column = 0;
};

namespace {

/// 0 is the smallest wave of the target. False when it has no waves of that size.
bool choose_wave_size(const isa::Target& target, uint32_t& wave_size) {
  if (wave_size == 0) wave_size = default_wave_size(target);
  return wave_size == 64 || (wave_size == 32 && target.has_wave32);
}

spalt_result deliver_text(Result<std::string> listing, spalt_text** text) {
  const spalt_result result = listing ? SPALT_SUCCESS : to_result(listing.error().status);
  *text = new spalt_text{listing ? std::move(*listing) : std::move(listing.error().message)};
  return result;
}

void keep_bytes(spalt_assembly& assembly, const void* bytes, size_t size) {
  const auto* begin = static_cast<const uint8_t*>(bytes);
  assembly.code.reserve(std::max<size_t>(size, 1));  // no instructions are a result, too
  assembly.code.assign(begin, begin + size);
}

spalt_result keep_failure(spalt_assembly& assembly, const Error& error) {
  assembly.message.assign(error.message.data(), error.message.size());
  assembly.line = error.source_line;
  assembly.column = error.source_line != 0 ? error.offset : 0;
  return to_result(error.status);
}

spalt_result run_assembler(const spalt_assemble_info& info, spalt_assembly& assembly) {
  const isa::Target* target = isa::find_target(info.target);
  if (target == nullptr) {
    return keep_failure(assembly,
                        {Status::unsupported, std::string("the target ") + info.target + " is not supported"});
  }
  uint32_t wave_size = info.wave_size;
  if (!choose_wave_size(*target, wave_size)) {
    return keep_failure(assembly, {Status::invalid_argument, "the target has no waves of that size"});
  }
  const DefaultFloatEnvironment environment;
  const Result<isa::AssembledCode> code = isa::assemble({info.text, info.text_size}, *target, wave_size);
  if (!code) return keep_failure(assembly, code.error());
  if (info.format == SPALT_CODE_RAW) {
    keep_bytes(assembly, code->words.data(), code->words.size() * 4);
    return SPALT_SUCCESS;
  }
  std::vector<object::CodeSymbol> symbols;
  for (const isa::AssembledLabel& label : code->labels) symbols.push_back({label.name, label.offset, label.is_global});
  const object::Bytes elf = object::write_code_elf(code->words, symbols, *target);
  keep_bytes(assembly, elf.data(), elf.size());
  return SPALT_SUCCESS;
}

}  // namespace

spalt_result spalt_assemble(const spalt_assemble_info* given, spalt_assembly** assembly) {
  if (assembly == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *assembly = nullptr;
  if (given == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_assemble_info info = read_struct(given);
  if (info.target == nullptr || (info.text == nullptr && info.text_size != 0)) return SPALT_ERROR_INVALID_ARGUMENT;
  if (info.format != SPALT_CODE_RAW && info.format != SPALT_CODE_ELF) return SPALT_ERROR_INVALID_ARGUMENT;
  Allocation allocation;
  if (!read_allocation(info.allocation, allocation)) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_result result = guarded([&] {
    *assembly = create_handle<spalt_assembly>(allocation);
    return run_assembler(info, **assembly);
  });
  if (result != SPALT_ERROR_OUT_OF_MEMORY) return result;
  spalt_assembly_destroy(*assembly);
  *assembly = nullptr;
  return result;
}

void spalt_assembly_destroy(spalt_assembly* assembly) {
  destroy_handle(assembly);
}

const void* spalt_assembly_code(const spalt_assembly* assembly, size_t* size) {
  if (size != nullptr) *size = assembly != nullptr ? assembly->code.size() : 0;
  return assembly != nullptr && assembly->message.empty() ? assembly->code.data() : nullptr;
}

spalt_result spalt_assembly_diagnostic(const spalt_assembly* assembly, spalt_diagnostic* diagnostic) {
  if (assembly == nullptr || diagnostic == nullptr || assembly->message.empty()) return SPALT_ERROR_INVALID_ARGUMENT;
  spalt_diagnostic value{};
  value.message = assembly->message.c_str();
  value.word_offset = UINT32_MAX;
  value.source_line = assembly->line;
  value.source_column = assembly->column;
  return write_struct(value, diagnostic);
}

const char* spalt_text_string(const spalt_text* text) {
  return text != nullptr ? text->text.c_str() : nullptr;
}

void spalt_text_destroy(spalt_text* text) {
  delete text;
}

spalt_result spalt_disassemble(const void* elf, size_t size, spalt_text** text) {
  spalt_disassemble_info info{};
  info.struct_size = sizeof info;
  info.code = elf;
  info.size = size;
  return spalt_disassemble_code(&info, text);
}

spalt_result spalt_disassemble_code(const spalt_disassemble_info* given, spalt_text** text) {
  if (text == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *text = nullptr;
  if (given == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_disassemble_info info = read_struct(given);
  if (info.code == nullptr && info.size != 0) return SPALT_ERROR_INVALID_ARGUMENT;
  if (info.wave_size != 0 && info.wave_size != 32 && info.wave_size != 64) return SPALT_ERROR_INVALID_ARGUMENT;
  return guarded([&] {
    const std::span<const uint8_t> bytes(static_cast<const uint8_t*>(info.code), info.size);
    const DefaultFloatEnvironment environment;
    if (info.target == nullptr) return deliver_text(disassemble(bytes, info.wave_size), text);
    const isa::Target* target = isa::find_target(info.target);
    uint32_t wave_size = info.wave_size;
    if (target == nullptr) {
      return deliver_text(Error{Status::unsupported, std::string("the target ") + info.target + " is not supported"},
                          text);
    }
    if (!choose_wave_size(*target, wave_size)) {
      return deliver_text(Error{Status::invalid_argument, "the target has no waves of that size"}, text);
    }
    return deliver_text(disassemble_bytes(bytes, *target, wave_size), text);
  });
}
