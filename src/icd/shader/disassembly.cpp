// SPDX-License-Identifier: MIT
#include "icd/shader/disassembly.h"

#include <memory>
#include <new>

namespace spalt::icd {

std::string disassemble(const Program& program) {
  spalt_text* handle = nullptr;
  const spalt_result result = spalt_disassemble(program.elf().data(), program.elf().size(), &handle);
  const std::unique_ptr<spalt_text, void (*)(spalt_text*)> text(handle, spalt_text_destroy);
  if (text == nullptr) throw std::bad_alloc();
  return result == SPALT_SUCCESS ? spalt_text_string(text.get()) : std::string();
}

}  // namespace spalt::icd
