// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>

#include "command.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "named_pass.h"
#include "prove_reasons.h"
#ifdef SPALT_PROVE
#include "prove/prove.h"
#endif

namespace spalt::golden {
namespace {

/// Reasons why functions are not proved: lines `; prove: not @name, REASON`.
class Exceptions {
 public:
  static Result<Exceptions> read(const TestFile& file) {
    Exceptions exceptions;
    for (const std::string& text : file.annotations("prove")) {
      const size_t comma = text.find(", ");
      if (!text.starts_with("not @") || comma == std::string::npos) {
        return test_error("expected '; prove: not @NAME, REASON', found '" + text + "'");
      }
      exceptions.names_.push_back(text.substr(5, comma - 5));
    }
    return exceptions;
  }
  bool has(const std::string& name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }
  Result<void> check(const ir::Module& module) const {
    for (const std::string& name : names_) {
      const auto is = [&](const ir::Function& function) { return function.name == name; };
      if (std::none_of(module.functions.begin(), module.functions.end(), is)) {
        return test_error("no function @" + name + " for '; prove: not'");
      }
    }
    return {};
  }

 private:
  std::vector<std::string> names_;
};

#ifdef SPALT_PROVE
/// How long a reason is doubted.
constexpr prove::ProveOptions kDoubt = {250, 250};

/// Applies the passes that the words name and gives `step(name, before, after)` the module around each. A word
/// `timeout=SECONDS` changes the options instead.
template <class Step>
Result<void> run_passes(ir::Module& module, std::span<const std::string> words, prove::ProveOptions& options,
                        Step&& step) {
  for (const std::string& name : words) {
    if (name.starts_with("timeout=")) {
      options.timeout_ms = 1000 * static_cast<unsigned>(std::strtoul(name.c_str() + 8, nullptr, 10));
      continue;
    }
    const passes::PassEntry* pass = find_named_pass(name);
    if (pass == nullptr) return test_error("unknown pass '" + name + "'");
    const ir::Module before = module;
    CompileContext context;
    pass->run(module, context);
    if (Result<void> r = step(name, before, module); !r) return r;
  }
  return {};
}

/// Finds reasons that hold no longer: functions that are said not to be proved, and are.
class Doubts {
 public:
  explicit Doubts(const ir::Module& module) : functions_(module.functions.size()) {}

  /// After a step that the function went through. One that it left alone proves nothing.
  void look_at(const ir::Module& before, const ir::Module& after, size_t number) {
    Seen& seen = functions_[number];
    if (seen.stands || ir::print(before.functions[number]) == ir::print(after.functions[number])) return;
    seen.changed = true;
    seen.stands = prove::prove_function(before, after, number, kDoubt).verdict != prove::Verdict::equal;
  }
  /// At the end.
  bool is_proved(size_t number) const { return functions_[number].changed && !functions_[number].stands; }

 private:
  struct Seen {
    bool changed = false;
    bool stands = false;  ///< a step was not proved
  };
  std::vector<Seen> functions_;
};
#endif

/// Applies IR passes in order and proves after each one that every function does what it did.
class ProveCommand : public Command {
 public:
  std::string_view name() const override { return "prove"; }
  std::string_view summary() const override {
    return "apply the named IR passes in order and prove that each keeps what the functions do ([timeout=SECONDS])";
  }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
#ifdef SPALT_PROVE
    prove::ProveOptions options;
    const Result<Exceptions> exceptions = Exceptions::read(file);
    if (!exceptions) return exceptions.error();
    Result<ir::Module> module = ir::parse(file.input);
    if (!module) return module.error();
    if (const Result<void> r = exceptions->check(*module); !r) return r.error();
    Doubts doubts(*module);
    const auto step = [&](const std::string& pass, const ir::Module& before, const ir::Module& after) -> Result<void> {
      for (size_t i = 0; i < before.functions.size(); ++i) {
        const std::string& name = before.functions[i].name;
        if (exceptions->has(name)) {
          doubts.look_at(before, after, i);
          continue;
        }
        const prove::Proof proof = prove::prove_function(before, after, i, options);
        if (proof.verdict == prove::Verdict::equal) continue;
        const char* what = proof.verdict == prove::Verdict::different ? "does something else" : "is not proved";
        return test_error("after " + pass + " @" + name + " " + what + "\n" + proof.text);
      }
      return {};
    };
    if (const Result<void> r = run_passes(*module, args, options, step); !r) return r.error();
    for (size_t i = 0; i < module->functions.size(); ++i) {
      const std::string& name = module->functions[i].name;
      if (!exceptions->has(name) || !doubts.is_proved(i)) continue;
      return test_error("@" + name + " is proved now: take '; prove: not @" + name + "' out");
    }
#else
    static_cast<void>(file);
    static_cast<void>(args);
#endif
    return std::optional<std::string>();
  }
};

}  // namespace

Result<void> check_unproved(const TestFile& file, std::span<const std::string> passes) {
#ifdef SPALT_PROVE
  Result<ir::Module> module = ir::parse(file.input);
  if (!module) return module.error();
  prove::ProveOptions options;
  Doubts doubts(*module);
  const auto step = [&](const std::string&, const ir::Module& before, const ir::Module& after) -> Result<void> {
    for (size_t i = 0; i < before.functions.size(); ++i) doubts.look_at(before, after, i);
    return {};
  };
  if (Result<void> r = run_passes(*module, passes, options, step); !r) return r;
  for (size_t i = 0; i < module->functions.size(); ++i) {
    if (!doubts.is_proved(i)) continue;
    return test_error("@" + module->functions[i].name +
                      " is proved now: in place of '; prove: none', name the functions that are not");
  }
#else
  static_cast<void>(file);
  static_cast<void>(passes);
#endif
  return {};
}

const Command& prove_command() {
  static const ProveCommand command;
  return command;
}

}  // namespace spalt::golden
