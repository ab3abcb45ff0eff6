// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "amdgpu/object/elf_format.h"
#include "base/small_vector.h"
#include "base/vector.h"

namespace spalt::object {

/// A file while it is written. In an arena it grows where it is, so that nothing is written twice.
using Bytes = Vector<uint8_t>;

inline void append_bytes(Bytes& out, const void* data, size_t size) {
  out.append({static_cast<const uint8_t*>(data), size});
}
inline void append_text(Bytes& out, std::string_view text) {
  append_bytes(out, text.data(), text.size());
}
/// Zeros up to a multiple of `alignment`.
void pad_bytes(Bytes& out, uint64_t alignment);

/// Writes a relocatable AMDGPU object from front to back: the file header, the sections in turn, their names and the
/// table of sections. What stands in a section is appended to the file between begin() and end(), so that there is one
/// buffer only.
class SectionWriter {
 public:
  /// `file` is empty.
  explicit SectionWriter(Bytes& file);

  /// Name, offset and size of the header are filled in. The name must live until finish().
  void begin(std::string_view name, const ElfSection& header);
  void end();
  /// Begins the table of symbols with the null symbol. The first `local_count` symbols, with that one, are local. The
  /// next section must be their strings.
  void begin_symbols(uint32_t local_count);
  /// Begins the strings with the empty one, which has offset 0.
  void begin_strings(std::string_view name = ".strtab");
  /// Adds the names of the sections and their table, and fills in the file header.
  void finish(uint8_t os_abi, uint32_t flags);

 private:
  static constexpr uint32_t kUsualSections = 8;

  Bytes& file_;
  SmallVector<ElfSection, kUsualSections> headers_;
  SmallVector<std::string_view, kUsualSections> names_;  ///< of all but the null section
  uint32_t next_name_ = 1;                               ///< its offset in the names
};

}  // namespace spalt::object
