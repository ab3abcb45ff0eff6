// SPDX-License-Identifier: MIT
//
// Which features the recorded device of a pipeline had. An archive has one record for each application with its
// features and, where recorders write them, links that say which objects belong to it.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "replay/database.h"
#include "replay/state.h"

namespace spalt_tool::replay {

class Applications {
 public:
  /// Records that cannot be read are left out and named in `warnings`.
  void load(const Database& database, unsigned jobs, std::vector<std::string>& warnings);
  /// All features that any application of the pipeline has. One without links counts as belonging to all.
  ApplicationState features_of(Tag tag, uint64_t hash) const;

 private:
  struct Link {
    uint32_t tag = 0;
    uint64_t hash = 0;
    uint64_t application = 0;
  };
  void load_links(const Database& database, unsigned jobs, std::vector<std::string>& warnings);
  const ApplicationState* find(uint64_t application) const;

  std::vector<std::pair<uint64_t, ApplicationState>> applications_;  ///< by hash
  ApplicationState all_;                                             ///< the features of all together
  std::vector<Link> links_;                                          ///< sorted; empty when there is one application
};

}  // namespace spalt_tool::replay
