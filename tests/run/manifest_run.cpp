// SPDX-License-Identifier: MIT
#include "manifest_run.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace spalt::run {
namespace {

vkrun::Variant parse_variant(const std::string& name) {
  if (name == "plain") return vkrun::Variant::Plain;
  if (name == "optimized") return vkrun::Variant::Optimized;
  if (name == "debug") return vkrun::Variant::Debug;
  throw vkrun::Error("unknown variant '" + name + "'");
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

void parse_share(const std::string& text, RunOptions& options) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) throw vkrun::Error("--share needs N/M");
  options.share_first = std::stoul(text.substr(0, slash));
  options.share_of = std::stoul(text.substr(slash + 1));
  if (options.share_first == 0 || options.share_first > options.share_of)
    throw vkrun::Error("--share needs 1 <= N <= M");
}

}  // namespace

bool prints_help(int argc, char** argv, const char* usage) {
  const bool asked = std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string(word) == "--help"; });
  if (asked) std::fputs(usage, stdout);
  return asked;
}

bool parse_run_option(const std::string& name, const std::string& value, RunOptions& options) {
  if (name == "--filter") {
    options.filter = value;
  } else if (name == "--share") {
    parse_share(value, options);
  } else if (name == "--target") {
    options.targets = split(value);
  } else if (name == "--wave") {
    options.waves = {static_cast<uint32_t>(std::stoul(value))};
  } else if (name == "--variant") {
    options.variant = parse_variant(value);
  } else if (name == "--jobs") {
    options.jobs = std::max(1ul, std::stoul(value));
  } else if (name == "--timeout") {
    options.timeout = std::stod(value);
  } else {
    return false;
  }
  return true;
}

std::vector<std::string> collect_manifests(const RunOptions& options) {
  std::vector<std::string> manifests;
  for (const std::string& path : options.paths) {
    if (!std::filesystem::is_directory(path)) {
      manifests.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.path().extension() == ".json") manifests.push_back(entry.path().string());
    }
  }
  std::erase_if(manifests, [&](const std::string& path) {
    return std::filesystem::path(path).stem().string().find(options.filter) == std::string::npos;
  });
  std::sort(manifests.begin(), manifests.end());
  std::vector<std::string> share;
  for (size_t i = options.share_first - 1; i < manifests.size(); i += options.share_of) share.push_back(manifests[i]);
  return share;
}

bool StepReport::add(const std::string& name, const std::string& label, const TaskOutcome& outcome,
                     const std::string& note) {
  const bool is_skip = outcome.data.starts_with(kSkipped);
  const bool passed = outcome.failure.empty() && !is_skip;
  const char* verdict = "PASS";
  if (is_skip && !options_.no_skips) {
    ++skipped_;
    verdict = "SKIP";
  } else {
    ++(passed ? passed_ : failed_);
    if (!passed) verdict = "FAIL";
  }
  const std::string& text = is_skip ? outcome.data : passed ? note : outcome.failure;
  std::printf("%s %s [%s] %.2f s%s%s\n", verdict, name.c_str(), label.c_str(), outcome.seconds,
              text.empty() ? "" : ": ", text.c_str());
  std::fflush(stdout);
  return passed;
}

int StepReport::finish() const {
  if (skipped_ != 0) std::printf("%zu skipped\n", skipped_);
  std::printf("%zu passed, %zu failed\n", passed_, failed_);
  return failed_ == 0 && passed_ != 0 ? 0 : 1;
}

}  // namespace spalt::run
