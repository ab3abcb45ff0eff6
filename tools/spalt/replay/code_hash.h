// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

namespace spalt_tool::replay {

constexpr uint64_t kEmptyHash = 0xcbf29ce484222325;
/// FNV-1a; `hash` is that of the bytes before.
uint64_t hash_bytes(const void* data, size_t size, uint64_t hash = kEmptyHash);

/// A hash (FNV-1a) of the .text section of an ELF of the compiler: changes with the instructions, and not with
/// metadata. 0 when there is no such section.
uint64_t code_hash(const void* elf, size_t size);

}  // namespace spalt_tool::replay
