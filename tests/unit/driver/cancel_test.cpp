// SPDX-License-Identifier: MIT
// A compilation that is cancelled ends inside the pass that runs, not after it, and gives up all of its memory.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <spalt/spalt.hpp>
#include <string>
#include <thread>
#include <vector>

#include "scaling/shapes.h"

namespace {

using spalt_api::Compilation;
using spalt_api::Compiler;
using spalt_api::sized;

/// Cancels a compilation when it asks for memory for the n-th time, and counts the passes that have ended.
struct Canceller {
  unsigned at = 0;  ///< 0: never
  uint32_t flag = 0;
  unsigned requests = 0, passes = 0, passes_before = 0;
  int live = 0;
  std::vector<std::string> names;  ///< of the passes that have ended

  static void* allocate(void* user, size_t size, size_t alignment) {
    auto& self = *static_cast<Canceller*>(user);
    if (++self.requests == self.at) {
      std::atomic_ref<uint32_t>(self.flag).store(1);
      self.passes_before = self.passes;
    }
    ++self.live;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }
  static void release(void* user, void* memory) {
    --static_cast<Canceller*>(user)->live;
    std::free(memory);
  }
  static void dump(void* user, const char* pass, const char*) {
    auto& self = *static_cast<Canceller*>(user);
    ++self.passes;
    self.names.emplace_back(pass);
  }
};

spalt_result compile(const std::vector<uint32_t>& words, Canceller& canceller) {
  const spalt_allocation_callbacks callbacks{sizeof callbacks, &canceller, Canceller::allocate, Canceller::release};
  const spalt_compiler_create_info create{sizeof create, "gfx1030", &callbacks};
  spalt_compiler* compiler = nullptr;
  EXPECT_EQ(spalt_compiler_create(&create, &compiler), SPALT_SUCCESS);
  spalt_compile_info info = Compiler::info(words);
  info.max_vgprs = 24;
  info.cancel = &canceller.flag;
  info.dump_after = "all";
  info.dump = Canceller::dump;
  info.dump_user = &canceller;
  spalt_compilation* compilation = nullptr;
  const spalt_result result = spalt_compile(compiler, &info, &compilation);
  spalt_compilation_destroy(compilation);
  spalt_compiler_destroy(compiler);
  EXPECT_EQ(canceller.live, 0);
  return result;
}

/// Cancels at every request in turn. Counts for each pass how often it was left in its middle.
void cancel_everywhere(const std::vector<uint32_t>& words, std::map<std::string, unsigned>& left) {
  Canceller whole;
  ASSERT_EQ(compile(words, whole), SPALT_SUCCESS);
  for (unsigned at = 3; at <= whole.requests; ++at) {  // the first two are for the handles
    Canceller canceller;
    canceller.at = at;
    const spalt_result result = compile(words, canceller);
    if (result == SPALT_SUCCESS) {
      EXPECT_GE(canceller.passes_before + 1, whole.passes) << "request " << at;  // too late to be seen
      continue;
    }
    EXPECT_EQ(result, SPALT_ERROR_CANCELLED) << "request " << at;
    EXPECT_LE(canceller.passes, canceller.passes_before + 1) << "request " << at;
    if (canceller.passes == canceller.passes_before) ++left[whole.names[canceller.passes]];
  }
}

/// Among so many sizes there are some for which a pass needs a new chunk of memory.
TEST(Cancel, EndsInsideOfLongPasses) {
  std::map<std::string, unsigned> left;
  for (const char* shape : {"phis", "ifs"}) {
    for (uint32_t count = 60; count <= 600; count += 60) {
      cancel_everywhere(spalt::scaling::find_shape(shape)->make(count, true), left);
    }
  }
  for (const char* pass : {"read", "simplify", "select", "allocate_registers"}) {
    EXPECT_GT(left[pass], 0u) << pass;
  }
}

TEST(Cancel, FromAnotherThreadABigShaderEndsSoon) {
  using Clock = std::chrono::steady_clock;
  const std::vector<uint32_t> words = spalt::scaling::find_shape("breaks")->make(30000, true);
  const Compiler compiler("gfx1030");
  spalt_compile_info info = Compiler::info(words);
  const auto before = Clock::now();
  ASSERT_TRUE(compiler.compile(info).ok());
  const auto whole = Clock::now() - before;

  uint32_t flag = 0;
  info.cancel = &flag;
  const auto start = Clock::now();
  std::thread other([&] {
    std::this_thread::sleep_for(whole / 20);
    std::atomic_ref<uint32_t>(flag).store(1);
  });
  const Compilation compilation = compiler.compile(info);
  const auto elapsed = Clock::now() - start;
  other.join();
  EXPECT_EQ(compilation.result(), SPALT_ERROR_CANCELLED);
  EXPECT_EQ(compilation.message(), "the compilation was cancelled");
  EXPECT_LT(elapsed, whole / 2);
}

}  // namespace
