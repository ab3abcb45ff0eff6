// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "command.h"
#include "prove_reasons.h"
#include "select_for_test.h"
#ifdef SPALT_PROVE
#include "prove/prove_select.h"
#endif

namespace spalt::golden {
namespace {

#ifdef SPALT_PROVE
/// How long a reason is doubted.
constexpr prove::ProveOptions kDoubt = {250, 250};

Result<prove::Proof> prove_selection(const TestFile& file, std::span<const std::string> args,
                                     prove::ProveOptions options) {
  std::vector<std::string> target;
  for (const std::string& word : args) {
    if (word.starts_with("timeout=")) {
      options.timeout_ms = 1000 * static_cast<unsigned>(std::strtoul(word.c_str() + 8, nullptr, 10));
    } else {
      target.push_back(word);
    }
  }
  const Result<TargetWords> words = parse_target_words(target);
  if (!words) return words.error();
  CompileContext context;
  const Result<SelectedForTest> selected = select_for_test(file, *words, context);
  if (!selected) return selected.error();
  return prove::prove_select(selected->module, selected->divergent, selected->function, options);
}
#endif

/// Selects instructions of the entry point and proves that they do what the IR did.
class ProveSelectCommand : public Command {
 public:
  std::string_view name() const override { return "prove_select"; }
  std::string_view summary() const override {
    return "select instructions ([wave32|wave64] [scratch] [timeout=SECONDS]) and prove that they do what the IR did";
  }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
#ifdef SPALT_PROVE
    const Result<prove::Proof> proof = prove_selection(file, args, {});
    if (!proof) return proof.error();
    if (proof->verdict != prove::Verdict::equal) {
      const char* what = proof->verdict == prove::Verdict::different ? "does something else" : "is not proved";
      return test_error("the selected code " + std::string(what) + "\n" + proof->text);
    }
#else
    static_cast<void>(file);
    static_cast<void>(args);
#endif
    return std::optional<std::string>();
  }
};

}  // namespace

Result<void> check_unproved_selection(const TestFile& file, std::span<const std::string> words) {
#ifdef SPALT_PROVE
  const Result<prove::Proof> proof = prove_selection(file, words, kDoubt);
  if (!proof) return proof.error();
  if (proof->verdict == prove::Verdict::equal) {
    return test_error("the selection is proved now: take '; prove: none' out");
  }
#else
  static_cast<void>(file);
  static_cast<void>(words);
#endif
  return {};
}

const Command& prove_select_command() {
  static const ProveSelectCommand command;
  return command;
}

}  // namespace spalt::golden
