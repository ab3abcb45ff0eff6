// SPDX-License-Identifier: MIT
//
// A Fossilize archive (.foz): a header of 16 bytes and records, each with the kind and the hash of one Vulkan object
// and a payload that may be compressed. docs/replay.md has the format. Opening reads the headers of all records once,
// in time linear in the size of the file; payloads are read when they are asked for, by any number of threads.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "replay/byte_source.h"
#include "replay/problem.h"

namespace spalt_tool::replay {

/// Kinds of recorded objects, with the format's numbers.
enum class Tag : uint8_t {
  application_info = 0,
  sampler = 1,
  set_layout = 2,
  pipeline_layout = 3,
  shader_module = 4,
  render_pass = 5,
  graphics_pipeline = 6,
  compute_pipeline = 7,
  application_link = 8,  ///< which application an object belongs to
  ray_tracing_pipeline = 9,
  bucket_info = 10
};
constexpr unsigned kTagCount = 11;
/// "sampler", "compute pipeline", ...
const char* tag_name(Tag tag);

struct Record {
  uint64_t hash = 0;
  uint64_t offset = 0;        ///< of the payload
  uint32_t stored_bytes = 0;  ///< of the payload in the file
  uint32_t bytes = 0;         ///< of the payload when it is decompressed
  uint32_t checksum = 0;      ///< CRC-32 of the stored bytes; 0: none
  uint32_t compression = 0;   ///< 1: none, 2: zlib
};

/// Bytes of a decompressed payload, at most: no module or description of a pipeline comes near, and a few bytes that
/// claim to be gigabytes are refused before memory is taken.
constexpr uint32_t kMaxPayloadBytes = 64u << 20;

class Archive {
 public:
  /// False and a sentence when `source` is no archive. What was left out of a damaged one is in warnings().
  bool open(std::unique_ptr<ByteSource> source, std::string& error);

  /// Sorted by hash. Of records with the same hash, the first in the file.
  const std::vector<Record>& records(Tag tag) const { return records_[static_cast<unsigned>(tag)]; }
  /// Null when the archive does not have it.
  const Record* find(Tag tag, uint64_t hash) const;
  /// Reads, checks and decompresses the payload of a record of this archive. May be called from several threads.
  bool read(const Record& record, std::vector<uint8_t>& payload, Problem& problem) const;

  uint64_t record_count() const { return record_count_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Whether bytes inside of the file, not only a cut-off record at its end, could not be understood.
  bool damaged() const { return damaged_; }

 private:
  void read_index();
  void sort_records();

  std::unique_ptr<ByteSource> source_;
  std::array<std::vector<Record>, kTagCount> records_;
  std::vector<std::string> warnings_;
  uint64_t record_count_ = 0;
  bool damaged_ = false;
};

}  // namespace spalt_tool::replay
