// SPDX-License-Identifier: MIT
#include "hazard_case.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "assemble.h"
#include "emu/hazards/rules.h"

namespace spalt::emu::test {
namespace {

std::set<std::string> rule_names() {
  // Clauses, forwarding and exports are no rows of a table.
  std::set<std::string> names = {"ClauseContents", "NSAClause", "RequiredExportPriority", "VALUPartialForwarding"};
  for (unsigned i = 0; i < hazard_rule_count(); ++i) names.insert(hazard_rule(i).name);
  for (const SingleRule& rule : single_rules()) names.insert(rule.name);
  return names;
}

TEST(Hazards, EveryRuleHasACase) {
  std::set<std::string> tested;
  for (const auto cases : {vega_cases(), rdna_cases(), single_cases()}) {
    for (const HazardCase& test : cases) tested.insert(test.rule);
  }
  EXPECT_EQ(tested, rule_names());
}

TEST(Hazards, EveryRuleIsInTheDocumentation) {
  std::ifstream file(SPALT_DOCS_DIR "/emulator-hazards.md");
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_FALSE(text.str().empty());
  for (const std::string& name : rule_names()) {
    EXPECT_NE(text.str().find("| " + name + " |"), std::string::npos) << name;
  }
}

TEST(Hazards, SentencesNameTheirRuleAndTheCure) {
  for (const SingleRule& rule : single_rules()) {
    const std::string sentence = rule.sentence;
    EXPECT_TRUE(sentence.starts_with(std::string("hazard ") + rule.name + ": ")) << sentence;
    EXPECT_NE(sentence.find("needs "), std::string::npos) << sentence;
  }
}

}  // namespace

std::string run_hazard_code(const std::string& text, const char* target, unsigned wave_size) {
  const std::string exec = wave_size == 64 ? "s_mov_b64 exec, 0\n" : "s_mov_b32 exec_lo, 0\n";
  const std::string start = "s_getpc_b64 s[4:5]\ns_mov_b32 s4, s1\n" + exec;
  std::vector<uint32_t> buffer(64, 0);
  object::StageObject shader = make_shader(start + text + "\ns_endpgm\n", wave_size, wave_size, target);
  if (shader.code.empty()) return "not assembled";
  shader.lds_bytes = 4096;
  DispatchInfo info = make_dispatch({&buffer});
  info.step_limit = 1000;
  const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  return outcome.ok() ? outcome->fault : outcome.error().message;
}

void check_cases(std::span<const HazardCase> cases) {
  const auto agrees = [](const std::string& fault, const std::string& part) {
    return part.empty() ? fault.empty() : fault.find(part) != std::string::npos;
  };
  for (const HazardCase& test : cases) {
    const std::string where = std::string(test.rule) + " on " + test.target + "\n";
    const std::string broken = run_hazard_code(test.broken, test.target, test.wave_size);
    EXPECT_NE(broken.find(std::string("hazard ") + test.rule + ": "), std::string::npos) << where << test.broken << "\n"
                                                                                         << broken;
    const std::string kept = run_hazard_code(test.kept, test.target, test.wave_size);
    EXPECT_TRUE(agrees(kept, test.kept_fault)) << where << test.kept << "\n" << kept;
    if (test.free_target == nullptr) continue;
    const std::string free = run_hazard_code(test.broken, test.free_target, test.wave_size);
    EXPECT_TRUE(agrees(free, test.free_fault)) << test.rule << " on " << test.free_target << "\n"
                                               << test.broken << "\n"
                                               << free;
  }
}

}  // namespace spalt::emu::test
