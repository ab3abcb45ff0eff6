// SPDX-License-Identifier: MIT
#include "replay/database.h"

#include <algorithm>

namespace spalt_tool::replay {

Database::Found Database::find(Tag tag, uint64_t hash) const {
  for (const Source& source : sources_) {
    if (const Record* record = source.archive.find(tag, hash)) return {&source.archive, record};
  }
  return {};
}

std::vector<uint64_t> Database::hashes(Tag tag) const {
  std::vector<uint64_t> list;
  for (const Source& source : sources_) {
    for (const Record& record : source.archive.records(tag)) list.push_back(record.hash);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

bool Database::has(Tag tag, uint64_t hash) const {
  return find(tag, hash).record != nullptr;
}

uint64_t Database::size_of(Tag tag, uint64_t hash) const {
  const Record* record = find(tag, hash).record;
  return record != nullptr ? record->bytes : 0;
}

bool Database::read(Tag tag, uint64_t hash, std::vector<uint8_t>& payload, Problem& problem) const {
  const std::string name = std::string(tag_name(tag)) + " " + hash_name(hash);
  const Found found = find(tag, hash);
  if (found.record == nullptr) return fail(problem, Cause::missing, name + " is in none of the archives");
  if (found.archive->read(*found.record, payload, problem)) return true;
  problem.message = name + ": " + problem.message;
  return false;
}

}  // namespace spalt_tool::replay
