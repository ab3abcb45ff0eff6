// SPDX-License-Identifier: MIT
// Archives for tests, written byte by byte.
#pragma once
#include <string>
#include <vector>

#include "replay/archive.h"
#include "replay/database.h"

namespace spalt_tool::replay {

/// An uncompressed record without a checksum.
std::string record(Tag tag, uint64_t hash, const std::string& payload);
/// The record of an object: `list` is the member of the description that has it, `object` its JSON.
std::string object_record(Tag tag, const std::string& list, uint64_t hash, const std::string& object,
                          const std::string& data = "");
/// A shader module, and a compute pipeline with the entry point "main" and more members of its stage.
std::string module_record(uint64_t hash, const std::vector<uint32_t>& words);
std::string pipeline_record(uint64_t hash, uint64_t layout, uint64_t module, const std::string& stage_members = "");
/// The file header and these records.
std::vector<uint8_t> archive_bytes(const std::string& records);

/// Must open.
Archive open_archive(const std::string& records);
Database database_of(const std::string& records);

}  // namespace spalt_tool::replay
