// SPDX-License-Identifier: MIT
#include "replay/applications.h"

#include <algorithm>
#include <tuple>

#include "replay/object_table.h"
#include "replay/read_state.h"

namespace spalt_tool::replay {
namespace {

bool read_application_of(const Document& document, uint64_t, ApplicationState& state, Problem& problem) {
  return read_application(document, state, problem);
}
bool read_link_of(const Document& document, uint64_t, ApplicationLinkState& state, Problem& problem) {
  return read_application_link(document, state, problem);
}

void merge(ApplicationState& into, const ApplicationState& other) {
  into.robust_buffer_access |= other.robust_buffer_access;
  into.robust_buffer_access_2 |= other.robust_buffer_access_2;
  into.robust_image_access |= other.robust_image_access;
  into.robust_image_access_2 |= other.robust_image_access_2;
  into.null_descriptor |= other.null_descriptor;
}

}  // namespace

void Applications::load(const Database& database, unsigned jobs, std::vector<std::string>& warnings) {
  ObjectTable<ApplicationState> table;
  table.load(database, Tag::application_info, database.hashes(Tag::application_info), read_application_of, jobs);
  for (size_t i = 0; i < table.hashes().size(); ++i) {
    const auto& entry = table.entries()[i];
    if (entry.problem.cause == Cause::none) applications_.emplace_back(table.hashes()[i], entry.state);
    if (entry.problem.cause != Cause::none) warnings.push_back(entry.problem.message);
  }
  for (const auto& [hash, state] : applications_) merge(all_, state);
  if (applications_.size() > 1) load_links(database, jobs, warnings);
}

void Applications::load_links(const Database& database, unsigned jobs, std::vector<std::string>& warnings) {
  ObjectTable<ApplicationLinkState> table;
  table.load(database, Tag::application_link, database.hashes(Tag::application_link), read_link_of, jobs);
  size_t damaged = 0;
  for (const auto& entry : table.entries()) {
    damaged += entry.problem.cause != Cause::none ? 1 : 0;
    if (entry.problem.cause == Cause::none)
      links_.push_back({entry.state.tag, entry.state.hash, entry.state.application});
  }
  if (damaged > 0) warnings.push_back(std::to_string(damaged) + " application links cannot be read");
  std::sort(links_.begin(), links_.end(), [](const Link& a, const Link& b) {
    return std::tie(a.tag, a.hash, a.application) < std::tie(b.tag, b.hash, b.application);
  });
}

const ApplicationState* Applications::find(uint64_t application) const {
  const auto at = std::lower_bound(applications_.begin(), applications_.end(), application,
                                   [](const auto& entry, uint64_t hash) { return entry.first < hash; });
  return at != applications_.end() && at->first == application ? &at->second : nullptr;
}

ApplicationState Applications::features_of(Tag tag, uint64_t hash) const {
  ApplicationState features;
  bool linked = false;
  const auto key = std::pair(static_cast<uint32_t>(tag), hash);
  auto link = std::lower_bound(
      links_.begin(), links_.end(), key,
      [](const Link& l, const std::pair<uint32_t, uint64_t>& k) { return std::pair(l.tag, l.hash) < k; });
  for (; link != links_.end() && link->tag == key.first && link->hash == hash; ++link) {
    const ApplicationState* state = find(link->application);
    if (state == nullptr) continue;
    merge(features, *state);
    linked = true;
  }
  return linked ? features : all_;
}

}  // namespace spalt_tool::replay
