// SPDX-License-Identifier: MIT
#include "replay/archive.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "replay/payload.h"

namespace spalt_tool::replay {
namespace {

constexpr unsigned char kMagic[12] = {0x81, 'F', 'O', 'S', 'S', 'I', 'L', 'I', 'Z', 'E', 'D', 'B'};
constexpr size_t kFileHeaderBytes = 16;
constexpr unsigned kOldestVersion = 5;
constexpr unsigned kNewestVersion = 6;
/// The name of a record is 40 hexadecimal digits, of which the last 16 are the hash and the 16 before them the tag;
/// four little-endian words follow.
constexpr size_t kNameBytes = 40;
constexpr size_t kRecordHeaderBytes = kNameBytes + 16;

uint32_t little_endian(const uint8_t* bytes) {
  return uint32_t{bytes[0]} | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 | uint32_t{bytes[3]} << 24;
}

bool parse_digits(const uint8_t* text, size_t count, uint64_t& number) {
  number = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t c = text[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return false;
    number = number << 4 | static_cast<uint64_t>(digit);
  }
  return true;
}

bool parse_record(const uint8_t* header, uint64_t& tag, Record& record) {
  uint64_t prefix = 0;
  if (!parse_digits(header, 8, prefix) || !parse_digits(header + 8, 16, tag)) return false;
  if (!parse_digits(header + 24, 16, record.hash)) return false;
  const uint8_t* words = header + kNameBytes;
  record.stored_bytes = little_endian(words);
  record.compression = little_endian(words + 4);
  record.checksum = little_endian(words + 8);
  record.bytes = little_endian(words + 12);
  return true;
}

/// Reads headers in file order through a window, so that an archive of small records costs few system calls.
class HeaderReader {
 public:
  explicit HeaderReader(const ByteSource& source) : source_(source) {}
  /// Null when the bytes are not there.
  const uint8_t* at(uint64_t offset) {
    if (offset >= start_ && offset + kRecordHeaderBytes <= start_ + window_.size()) {
      return window_.data() + (offset - start_);
    }
    const uint64_t left = source_.size() - offset;
    window_.resize(static_cast<size_t>(std::min<uint64_t>(left, kWindowBytes)));
    start_ = offset;
    return source_.read(offset, window_.data(), window_.size()) ? window_.data() : nullptr;
  }

 private:
  static constexpr uint64_t kWindowBytes = 8 << 10;
  const ByteSource& source_;
  std::vector<uint8_t> window_;
  uint64_t start_ = 0;
};

std::string at_byte(uint64_t offset) {
  return " at byte " + std::to_string(offset);
}

}  // namespace

const char* tag_name(Tag tag) {
  constexpr const char* kNames[kTagCount] = {"application info",     "sampler",          "descriptor set layout",
                                             "pipeline layout",      "shader module",    "render pass",
                                             "graphics pipeline",    "compute pipeline", "application link",
                                             "ray tracing pipeline", "bucket info"};
  return kNames[static_cast<unsigned>(tag)];
}

bool Archive::open(std::unique_ptr<ByteSource> source, std::string& error) {
  source_ = std::move(source);
  uint8_t header[kFileHeaderBytes];
  if (source_->size() < sizeof header || !source_->read(0, header, sizeof header) ||
      std::memcmp(header, kMagic, sizeof kMagic) != 0) {
    error = "is no Fossilize archive: the header is missing";
    return false;
  }
  const unsigned version = header[15];
  if (version < kOldestVersion || version > kNewestVersion) {
    error = "is a Fossilize archive of version " + std::to_string(version) + "; versions 5 and 6 can be read";
    return false;
  }
  read_index();
  sort_records();
  return true;
}

void Archive::read_index() {
  const uint64_t end = source_->size();
  uint64_t offset = kFileHeaderBytes;
  uint64_t unknown = 0;
  HeaderReader reader(*source_);
  while (offset < end) {
    const uint64_t left = end - offset;
    const uint8_t* header = left >= kRecordHeaderBytes ? reader.at(offset) : nullptr;
    Record record;
    uint64_t tag = 0;
    const bool understood = header != nullptr && parse_record(header, tag, record);
    record.offset = offset + kRecordHeaderBytes;
    if (header != nullptr && !understood) {
      damaged_ = true;
      warnings_.push_back("the record" + at_byte(offset) + " has no valid name: the last " + std::to_string(left) +
                          " bytes of the archive are left out");
      break;
    }
    if (header == nullptr || record.stored_bytes > end - record.offset) {
      warnings_.push_back("the last record," + at_byte(offset) + ", is cut off: " + std::to_string(left) +
                          " bytes are left out");
      break;
    }
    ++record_count_;
    if (tag < kTagCount) records_[tag].push_back(record);
    if (tag >= kTagCount) ++unknown;
    offset = record.offset + record.stored_bytes;
  }
  if (unknown > 0) warnings_.push_back(std::to_string(unknown) + " records of kinds that are not known are left out");
}

void Archive::sort_records() {
  const auto before = [](const Record& a, const Record& b) { return a.hash < b.hash; };
  const auto same = [](const Record& a, const Record& b) { return a.hash == b.hash; };
  for (std::vector<Record>& list : records_) {
    std::stable_sort(list.begin(), list.end(), before);
    list.erase(std::unique(list.begin(), list.end(), same), list.end());
  }
}

const Record* Archive::find(Tag tag, uint64_t hash) const {
  const std::vector<Record>& list = records(tag);
  const auto at =
      std::lower_bound(list.begin(), list.end(), hash, [](const Record& r, uint64_t value) { return r.hash < value; });
  return at != list.end() && at->hash == hash ? &*at : nullptr;
}

bool Archive::read(const Record& record, std::vector<uint8_t>& payload, Problem& problem) const {
  if (const char* wrong = check_sizes(record)) return fail(problem, Cause::damaged, wrong);
  std::vector<uint8_t> stored(record.stored_bytes);
  if (!source_->read(record.offset, stored.data(), stored.size())) {
    return fail(problem, Cause::damaged, "the file cannot be read" + at_byte(record.offset));
  }
  const char* wrong = decode_payload(record, std::move(stored), payload);
  return wrong == nullptr || fail(problem, Cause::damaged, wrong);
}

}  // namespace spalt_tool::replay
