// SPDX-License-Identifier: MIT
#include "icd/shader/program.h"

#include <new>
#include <string_view>

#include "icd/object/result.h"

namespace spalt::icd {
namespace {

bool dumps_faults(const Device& device) {
  return !device.settings().dump_folder.empty();
}

}  // namespace

// The code is a part of the ELF, so that its size is enough.
Program::Program(Device& device, CompiledShaderRef shader, std::span<const uint32_t> words, const std::string& name)
    : shader_(std::move(shader)),
      spirv_(dumps_faults(device) ? std::vector<uint32_t>(words.begin(), words.end()) : std::vector<uint32_t>()),
      used_bindings_(device.settings().check_layouts ? icd::used_bindings(words) : std::vector<UsedBinding>()),
      address_(device.space(), shader_->elf.size()),
      program_(device.space().address_space(), shader_->elf.data(), shader_->elf.size(), address_.value(),
               name.c_str()) {
  if (program_.outcome().result == SPALT_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  if (!program_.ok()) throw VulkanError{VK_ERROR_UNKNOWN};
  if (std::string_view(program_.info().target) != device.physical().target().name) throw VulkanError{VK_ERROR_UNKNOWN};
}

}  // namespace spalt::icd
