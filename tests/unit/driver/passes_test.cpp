// SPDX-License-Identifier: MIT
// The list of passes: each can be stopped after, is in the documentation, and runs in the order of the list.
#include <gtest/gtest.h>

#include <fstream>
#include <spalt/spalt.hpp>
#include <sstream>

#include "../spirv/assemble.h"

namespace {

using spalt_api::Compilation;
using spalt_api::Compiler;
namespace spirv = spalt::spirv;

constexpr const char* kPasses[] = {
#define PASS(name, account, tier) #name,
#include "driver/pass_list.def"
#undef PASS
};
constexpr const char* kAccounts[] = {
#define PASS(name, account, tier) #account,
#include "driver/pass_list.def"
#undef PASS
};

std::vector<uint32_t> shader() {
  return spirv::assemble(
      spirv::shader("", "%at = OpAccessChain %element %buffer %u0 %u0\nOpStore %at %u1\nOpReturn\n"));
}

TEST(Passes, CompilationsStopAfterEach) {
  const std::vector<uint32_t> words = shader();
  const Compiler compiler("gfx1100");
  for (const char* pass : kPasses) {
    spalt_compile_info info = Compiler::info(words);
    info.stop_after = pass;
    EXPECT_EQ(compiler.compile(info).result(), SPALT_STOPPED) << pass;
  }
}

/// Dumps come in the order of the list; only what is encoded has no dump.
TEST(Passes, RunInTheOrderOfTheList) {
  const std::vector<uint32_t> words = shader();
  std::vector<std::string> seen;
  spalt_compile_info info = Compiler::info(words);
  info.dump_after = "all";
  info.dump_user = &seen;
  info.dump = [](void* user, const char* pass, const char*) {
    static_cast<std::vector<std::string>*>(user)->push_back(pass);
  };
  ASSERT_TRUE(Compiler("gfx1100").compile(info).ok());
  std::vector<std::string> listed(std::begin(kPasses), std::end(kPasses));
  listed.pop_back();
  EXPECT_EQ(seen, listed);
}

/// A pass that the tier does not have leaves what the pass before it made.
TEST(Passes, FastCompilationsLeaveSomeOut) {
  const std::vector<uint32_t> words = shader();
  std::vector<std::pair<std::string, std::string>> seen;
  spalt_compile_info info = Compiler::info(words);
  info.optimization = SPALT_OPTIMIZATION_FAST;
  info.dump_after = "all";
  info.dump_user = &seen;
  info.dump = [](void* user, const char* pass, const char* text) {
    static_cast<std::vector<std::pair<std::string, std::string>>*>(user)->emplace_back(pass, text);
  };
  const Compiler compiler("gfx1100");
  ASSERT_TRUE(compiler.compile(info).ok());
  constexpr const char* kFull[] = {
#define PASS(name, account, tier) std::string_view(#tier) == "full" ? #name : "",
#include "driver/pass_list.def"
#undef PASS
  };
  unsigned left_out = 0;
  for (size_t i = 1; i < seen.size(); ++i) {
    if (seen[i].first != kFull[i]) continue;
    EXPECT_EQ(seen[i].second, seen[i - 1].second) << seen[i].first;
    ++left_out;
  }
  EXPECT_GT(left_out, 0u);
  info.optimization = SPALT_OPTIMIZATION_FAST + 1;
  EXPECT_EQ(compiler.compile(info).result(), SPALT_ERROR_INVALID_ARGUMENT);
}

TEST(Passes, AreInTheDocumentation) {
  std::ifstream stream(SPALT_DOCS_DIR "/architecture.md");
  std::stringstream all;
  all << stream.rdbuf();
  const std::string text = all.str();
  for (const char* pass : kPasses) EXPECT_NE(text.find("`" + std::string(pass) + "`"), std::string::npos) << pass;
}

TEST(Passes, HaveTheirTimeOnARowThatIsReported) {
  const std::vector<uint32_t> words = shader();
  spalt_compile_info info = Compiler::info(words);
  info.want_part_times = 1;
  const Compilation compilation = Compiler("gfx1100").compile(info);
  std::vector<std::string> parts;
  for (size_t i = 0; i < spalt_compilation_part_count(compilation.handle()); ++i) {
    spalt_part_time time = spalt_api::sized<spalt_part_time>();
    ASSERT_EQ(spalt_compilation_part_time(compilation.handle(), i, &time), SPALT_SUCCESS);
    parts.push_back(time.part);
    EXPECT_GT(time.nanoseconds, 0u) << time.part;
  }
  for (const char* account : kAccounts) {
    EXPECT_NE(std::find(parts.begin(), parts.end(), account), parts.end()) << account;
  }
}

TEST(Passes, AreNotTimedUnlessThatIsWanted) {
  const Compilation compilation = Compiler("gfx1100").compile(Compiler::info(shader()));
  ASSERT_TRUE(compilation.ok());
  EXPECT_EQ(spalt_compilation_part_count(compilation.handle()), 0u);
}

}  // namespace
