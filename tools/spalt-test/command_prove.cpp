// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>

#include "command.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "named_pass.h"
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
    for (const std::string& name : args) {
      if (name.starts_with("timeout=")) {
        options.timeout_ms = 1000 * static_cast<unsigned>(std::strtoul(name.c_str() + 8, nullptr, 10));
        continue;
      }
      const passes::PassEntry* pass = find_named_pass(name);
      if (pass == nullptr) return test_error("unknown pass '" + name + "'");
      const ir::Module before = *module;
      CompileContext context;
      pass->run(*module, context);
      if (Result<void> r = compare(before, *module, name, *exceptions, options); !r) return r.error();
    }
#else
    static_cast<void>(file);
    static_cast<void>(args);
#endif
    return std::optional<std::string>();
  }

 private:
#ifdef SPALT_PROVE
  static Result<void> compare(const ir::Module& before, const ir::Module& after, const std::string& pass,
                              const Exceptions& exceptions, const prove::ProveOptions& options) {
    for (size_t i = 0; i < before.functions.size(); ++i) {
      const std::string& name = before.functions[i].name;
      if (exceptions.has(name)) continue;
      const prove::Proof proof = prove::prove_function(before, after, i, options);
      if (proof.verdict == prove::Verdict::equal) continue;
      const char* what = proof.verdict == prove::Verdict::different ? "does something else" : "is not proved";
      return test_error("after " + pass + " @" + name + " " + what + "\n" + proof.text);
    }
    return {};
  }
#endif
};

}  // namespace

const Command& prove_command() {
  static const ProveCommand command;
  return command;
}

}  // namespace spalt::golden
