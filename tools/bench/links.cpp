// SPDX-License-Identifier: MIT
// What linking the stages of a pipeline costs, reading the stored stage objects included.
// usage: links TARGET STAGE...
// Stage objects are those of `spalt compile --emit stage`.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <spalt/spalt.hpp>
#include <vector>

namespace {

constexpr unsigned kRounds = 5000;

int fail(const char* what) {
  std::fprintf(stderr, "links: %s\n", what);
  return 1;
}

std::vector<char> contents(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return fail("usage: links TARGET STAGE...");
  std::vector<std::vector<char>> files;
  for (int i = 2; i < argc; ++i) files.push_back(contents(argv[i]));
  std::vector<spalt_stage_object> stages;
  for (const std::vector<char>& file : files) stages.push_back({file.data(), file.size()});
  const spalt_api::Compiler compiler(argv[1]);
  if (!compiler.ok()) return fail("no such target");
  double best = 0;
  size_t size = 0;
  for (unsigned i = 0; i < kRounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const spalt_api::Pipeline pipeline = compiler.link(stages);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    if (!pipeline.ok()) return fail(pipeline.message().c_str());
    best = i == 0 ? time.count() : std::min(best, time.count());
    size = pipeline.elf().second;
  }
  std::printf("%zu stages, %zu bytes of ELF: %.2f microseconds\n", stages.size(), size, best);
  return 0;
}
