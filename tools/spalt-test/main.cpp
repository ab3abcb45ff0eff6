// SPDX-License-Identifier: MIT
// Runs golden tests: spalt-test [--filter TEXT] PATH...
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/ice.h"
#include "command.h"
#include "diff.h"
#include "prove_reasons.h"

namespace spalt::golden {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> paths;
  std::string filter;
  bool bless = false;
};

bool read_text(const std::string& path, std::string& text) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return false;
  text.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  return true;
}

/// All tests below the paths, sorted, so that every machine runs them in one order: .spalt files, and pages of
/// documentation for their examples.
std::vector<std::string> find_files(const Options& options) {
  std::vector<std::string> found;
  const auto add = [&](const fs::path& path) {
    if (path.string().find(options.filter) != std::string::npos) found.push_back(path.string());
  };
  for (const std::string& root : options.paths) {
    if (!fs::is_directory(root)) {
      add(root);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const fs::path extension = entry.path().extension();
      if (entry.is_regular_file() && (extension == ".spalt" || extension == ".md")) add(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Runs one command; a bug in the compiler is a failed test like any other.
Result<std::optional<std::string>> run_command(const TestFile& file, const CommandLine& line) {
  const Command* command = find_command(line.words[0]);
  if (command == nullptr) return test_error("unknown command '" + line.words[0] + "'");
  try {
    return command->run(file, std::span(line.words).subspan(1));
  } catch (const InternalError& error) {
    return test_error(std::string("internal error: ") + error.what() + " at " + error.file() + ":" +
                      std::to_string(error.line()));
  }
}

/// The output of every command that has one, labelled only if there are several.
Result<std::vector<Expectation>> collect(const TestFile& file) {
  std::vector<Expectation> found;
  for (const CommandLine& line : file.commands) {
    Result<std::optional<std::string>> output = run_command(file, line);
    if (!output) return test_error("'" + line.line + "': " + output.error().message);
    if (output->has_value()) found.push_back({line.line, std::move(**output)});
  }
  if (found.size() == 1) found[0].label.clear();
  return found;
}

/// What is wrong with one test; empty if nothing is. `updated` is the text as it should be.
std::string check(const std::string& path, const std::string& text, std::string& updated) {
  const Result<TestFile> file = parse_test_file(path, text);
  if (!file) return file.error().message + "\n";
  const Result<std::vector<Expectation>> found = collect(*file);
  if (!found) return found.error().message + "\n";
  updated = format_test_file(*file, *found);
  return unified_diff(text, updated);
}

/// Passed and failed tests of one run.
struct Tally {
  size_t passed = 0, failed = 0;
  void count(const std::string& name, const std::string& fault) {
    ++(fault.empty() ? passed : failed);
    if (!fault.empty()) std::printf("FAILED %s\n%s\n", name.c_str(), fault.c_str());
  }
};

/// Whether passes run on the input and nothing is said about a proof of what they do: IR passes, and those machine
/// passes that change what instructions compute and with what.
bool lacks_proof(const TestFile& file) {
  constexpr std::array<std::string_view, 8> kRewriting = {"combine_vector", "form_halves",     "forward_copies",
                                                          "form_sdwa",      "hoist_edge_code", "reuse_moves",
                                                          "share_literals", "shrink_encodings"};
  bool has_pass = false, has_proof = false;
  for (const CommandLine& line : file.commands) {
    has_pass |= line.words[0] == "pass";
    for (const std::string& word : line.words) {
      const bool rewrites = std::find(kRewriting.begin(), kRewriting.end(), word) != kRewriting.end();
      has_pass |= line.words[0] == "machine_pass" && rewrites;
    }
    has_proof |= line.words[0] == "prove" || line.words[0] == "prove_machine";
  }
  return has_pass && !has_proof;
}

/// Whether code is selected for a target and nothing is said about a proof of that.
bool lacks_proof_of_selection(const TestFile& file) {
  const auto words_after = [](const CommandLine& line, bool of_proof) {
    std::vector<std::string> words(line.words.begin() + 1, line.words.end());
    if (of_proof) std::erase_if(words, [](const std::string& word) { return word.starts_with("timeout="); });
    return words;
  };
  for (const CommandLine& line : file.commands) {
    if (line.words[0] != "select") continue;
    const auto proves = [&](const CommandLine& other) {
      return other.words[0] == "prove_select" && words_after(other, true) == words_after(line, false);
    };
    if (std::none_of(file.commands.begin(), file.commands.end(), proves)) return true;
  }
  return false;
}

bool says_why_not(const TestFile& file) {
  const std::vector<std::string> reasons = file.annotations("prove");
  return std::any_of(reasons.begin(), reasons.end(), [](const auto& text) { return text.starts_with("none, "); });
}

/// What is missing about proofs; empty if nothing is.
std::string missing_proof(const TestFile& file) {
  if (says_why_not(file)) return "";
  if (lacks_proof(file)) {
    return "expected '; test: prove', '; test: prove_machine' or '; prove: none, REASON' beside the pass\n";
  }
  if (!lacks_proof_of_selection(file)) return "";
  return "expected '; test: prove_select' with the words of each '; test: select', or '; prove: none, REASON'\n";
}

/// What is wrong with saying that nothing is proved; empty if nothing is.
std::string doubt_reason(const TestFile& file) {
  if (!says_why_not(file)) return "";
  for (const CommandLine& line : file.commands) {
    const std::span<const std::string> words = std::span(line.words).subspan(1);
    Result<void> r;
    if (line.words[0] == "pass") r = check_unproved(file, words);
    if (line.words[0] == "select") r = check_unproved_selection(file, words);
    if (!r) return r.error().message + "\n";
  }
  return "";
}

void run_file(const std::string& path, const Options& options, Tally& tally) {
  std::string text, updated;
  if (!read_text(path, text)) return tally.count(path, "cannot be read\n");
  if (const Result<TestFile> file = parse_test_file(path, text); file) {
    const std::string missing = missing_proof(*file);
    if (!missing.empty()) return tally.count(path, missing);
  }
  std::string fault = check(path, text, updated);
  if (fault.empty()) {
    if (const Result<TestFile> file = parse_test_file(path, text); file) fault = doubt_reason(*file);
    if (!fault.empty()) return tally.count(path, fault);
  }
  if (!fault.empty() && !updated.empty()) {
    if (options.bless) {
      std::ofstream stream(path, std::ios::binary);
      stream << updated;
      fault = stream.good() ? "" : "cannot be written\n";
    } else {
      fault += "run with SPALT_BLESS=1 to accept this output\n";
    }
  }
  tally.count(path, fault);
}

/// The examples of a page: blocks fenced with ```golden are whole tests. They are never blessed.
void run_page(const std::string& path, Tally& tally) {
  std::string text, block, updated;
  if (!read_text(path, text)) return tally.count(path, "cannot be read\n");
  bool inside = false;
  size_t number = 0, begin = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    if (inside && line == "```") {
      tally.count(path + ":" + std::to_string(begin), check(path, block, updated));
      inside = false;
    } else if (inside) {
      block += line + "\n";
    } else if (line == "```golden") {
      inside = true;
      begin = number;
      block.clear();
    }
  }
}

void print_help() {
  std::puts("spalt-test [--filter TEXT] PATH...\n\nRuns the golden tests below the paths. Commands:");
  for (const Command* command : all_commands()) {
    std::printf("  %-14s %s\n", std::string(command->name()).c_str(), std::string(command->summary()).c_str());
  }
}

bool parse_options(int count, char** args, Options& options) {
  for (int i = 1; i < count; ++i) {
    const std::string arg = args[i];
    if (arg == "--filter" && i + 1 < count) {
      options.filter = args[++i];
    } else if (arg.starts_with("-")) {
      return false;
    } else {
      options.paths.push_back(arg);
    }
  }
  const char* bless = std::getenv("SPALT_BLESS");
  options.bless = bless != nullptr && std::string_view(bless) == "1";
  return !options.paths.empty();
}

int run(int count, char** args) {
  Options options;
  if (!parse_options(count, args, options)) {
    print_help();
    return 2;
  }
  Tally tally;
  for (const std::string& path : find_files(options)) {
    if (path.ends_with(".md")) {
      run_page(path, tally);
    } else {
      run_file(path, options, tally);
    }
  }
  std::printf("%zu passed, %zu failed\n", tally.passed, tally.failed);
  return tally.failed == 0 && tally.passed != 0 ? 0 : 1;
}

}  // namespace
}  // namespace spalt::golden

int main(int count, char** args) {
  return spalt::golden::run(count, args);
}
