// SPDX-License-Identifier: MIT
#include "replay/results.h"

namespace spalt_tool::replay {

bool in_shard(const Shard& shard, uint64_t hash) {
  // The hashes come from outside and need not be spread evenly; the multiplications of splitmix64 spread them.
  hash += 0x9e3779b97f4a7c15;
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ hash >> 27) * 0x94d049bb133111eb;
  return (hash ^ hash >> 31) % shard.count == shard.index - 1;
}

bool comes_before(const PipelineResult& a, const PipelineResult& b) {
  return a.kind != b.kind ? a.kind < b.kind : a.hash < b.hash;
}

namespace {

void add(Counts& counts, const PipelineResult& pipeline) {
  if (pipeline.compiled()) {
    ++counts.compiled;
  } else if (pipeline.unsupported()) {
    ++counts.unsupported;
  } else {
    ++counts.failed;
  }
}

}  // namespace

Counts count(const Results& results, PipelineKind kind) {
  Counts counts;
  for (const PipelineResult& pipeline : results.pipelines) {
    if (pipeline.kind == kind) add(counts, pipeline);
  }
  return counts;
}

Counts count(const Results& results) {
  Counts counts;
  for (const PipelineResult& pipeline : results.pipelines) add(counts, pipeline);
  return counts;
}

}  // namespace spalt_tool::replay
