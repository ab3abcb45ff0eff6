// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as a Fossilize archive: every record is read or refused with a cause, everything that is known of its
// kind is taken from it, and pipeline layouts are laid out. Nothing is compiled: spirv_fuzz reads modules. Seeds:
// archives of tests/command_line/foz.py, without compression and checksums so that changes reach what is inside.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "replay/applications.h"
#include "replay/layouts.h"
#include "replay/read_state.h"

namespace {

using namespace spalt_tool::replay;

void check(bool done, const Problem& problem) {
  const bool has_cause = problem.cause != Cause::none && problem.cause != Cause::bug && !problem.message.empty();
  if (done ? problem.cause == Cause::none : has_cause) return;
  std::fprintf(stderr, "neither read nor refused with a cause\n");
  std::abort();
}

template <class State>
void read_all(const Database& database, Tag tag, bool (*parse)(const Document&, uint64_t, State&, Problem&)) {
  for (const uint64_t hash : database.hashes(tag)) {
    State state;
    Problem problem;
    const bool done = load_state(database, tag, hash, parse, state, problem);
    check(done, problem);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Archive archive;
  std::string error;
  if (!archive.open(in_memory({data, data + size}), error)) {
    if (error.empty()) std::abort();
    return 0;
  }
  Database database;
  database.add("fuzz", std::move(archive));
  read_all(database, Tag::shader_module, read_shader_module);
  read_all(database, Tag::compute_pipeline, read_compute_pipeline);
  read_all(database, Tag::graphics_pipeline, read_graphics_pipeline);
  read_all(database, Tag::render_pass, read_render_pass);
  std::vector<std::string> warnings;
  Applications applications;
  applications.load(database, 1, warnings);
  Layouts layouts;
  layouts.load(database, database.hashes(Tag::pipeline_layout), 1);
  for (const uint64_t hash : database.hashes(Tag::pipeline_layout)) {
    if (hash == 0) continue;
    UserDataLayout layout;
    Problem problem;
    const bool done = layouts.lay_out(hash, 128, layout, problem);
    check(done, problem);
    if (done && layout.entry_count() > 128) std::abort();
  }
  return 0;
}
