// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "amdgpu/isa/target.h"
#include "amdgpu/metadata/report.h"
#include "base/result.h"

namespace spalt::metadata {

/// All that is to be said about the metadata of a PAL code object.
struct Inspection {
  Report report;
  std::string text;  ///< the document for reading
  std::string json;
};

/// Reads the note of an ELF and holds it against the key tables and the rules of loaders. The bytes are not trusted;
/// an error means that there is no document to speak of.
Result<Inspection> inspect_elf(std::span<const uint8_t> elf);

/// The document alone, for tests: as inspect_elf, without the checks of the file.
Result<Inspection> inspect_document(std::span<const uint8_t> document, const isa::Target& target);

}  // namespace spalt::metadata
