// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "replay/pipeline_kinds.h"

namespace spalt_tool::replay {

/// What all pipelines of a run have in common and their code depends on. Result files carry it.
struct Settings {
  std::string target = "gfx1030";
  uint32_t wave_size = 0;  ///< 32 or 64 where a pipeline does not demand one; 0: the target's default
  bool wgp_mode = false;
  std::string robustness = "recorded";  ///< or "off", "1", "2" for all pipelines
  uint32_t max_vgprs = 0, max_sgprs = 0, max_unroll = 0;

  bool operator==(const Settings&) const = default;
};

/// Part `index` of `count`, from 1 on: a pipeline belongs to one, which its hash alone decides.
struct Shard {
  uint32_t index = 1;
  uint32_t count = 1;
};
bool in_shard(const Shard& shard, uint64_t hash);

/// What to compile, and how.
struct RunOptions {
  std::vector<PipelineKind> kinds;
  std::vector<uint64_t> hashes;  ///< only these; all when empty
  Shard shard;
  uint32_t jobs = 1;        ///< threads
  uint32_t repeat = 1;      ///< compilations of each pipeline, of which the fastest counts
  uint32_t time_limit = 0;  ///< seconds that a pipeline may take; 0: any
  bool verify = false;
  const std::atomic<bool>* stop = nullptr;  ///< becomes true when the run must end early; null: never
  std::string save_folder;                  ///< where modules and ELFs go; empty: nowhere
};

}  // namespace spalt_tool::replay
