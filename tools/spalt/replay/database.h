// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "replay/archive.h"
#include "replay/document.h"

namespace spalt_tool::replay {

/// Several archives as one. An object that several have is that of the first: equal hashes mean equal objects.
class Database {
 public:
  struct Source {
    std::string file;
    Archive archive;
  };

  void add(std::string file, Archive archive) { sources_.push_back({std::move(file), std::move(archive)}); }
  const std::vector<Source>& sources() const { return sources_; }

  /// The hashes of all objects of a kind, ascending, each once.
  std::vector<uint64_t> hashes(Tag tag) const;
  bool has(Tag tag, uint64_t hash) const;
  /// Bytes that the object has when it is decompressed; 0 when it is not there.
  uint64_t size_of(Tag tag, uint64_t hash) const;
  /// Reads the payload of an object; a problem names the object. May be called from several threads.
  bool read(Tag tag, uint64_t hash, std::vector<uint8_t>& payload, Problem& problem) const;

 private:
  struct Found {
    const Archive* archive = nullptr;
    const Record* record = nullptr;
  };
  Found find(Tag tag, uint64_t hash) const;

  std::vector<Source> sources_;
};

/// Reads an object and hands its description to `parse`, a function of read_state.h.
template <class State>
bool load_state(const Database& database, Tag tag, uint64_t hash,
                bool (*parse)(const Document&, uint64_t, State&, Problem&), State& state, Problem& problem) {
  std::vector<uint8_t> payload;
  Document document;
  if (!database.read(tag, hash, payload, problem)) return false;
  if (document.parse(payload, problem) && parse(document, hash, state, problem)) return true;
  problem.message = std::string(tag_name(tag)) + " " + hash_name(hash) + ": " + problem.message;
  return false;
}

}  // namespace spalt_tool::replay
