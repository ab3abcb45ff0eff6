// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace spalt::metadata {

enum class Severity : uint8_t {
  note,  ///< loaders skip it
  error  ///< loaders refuse it, assert on it, or would set the hardware up wrong
};

struct Finding {
  Severity severity;
  std::string_view rule;  ///< name of the check, of static storage
  std::string path;       ///< keys from the root, such as ".hardware_stages/.cs/.lds_size"; may be empty
  std::string message;    ///< one sentence
};

/// What the checks found, in the order of the document and then of the checks. Bounded: a broken document can make one
/// finding for each of its bytes.
class Report {
 public:
  static constexpr size_t kMaxFindings = 256;

  void error(std::string_view rule, std::string path, std::string message) {
    add({Severity::error, rule, std::move(path), std::move(message)});
  }
  void note(std::string_view rule, std::string path, std::string message) {
    add({Severity::note, rule, std::move(path), std::move(message)});
  }
  bool valid() const { return valid_; }
  bool full() const { return findings_.size() >= kMaxFindings; }
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  void add(Finding finding) {
    if (finding.severity == Severity::error) valid_ = false;
    if (!full()) findings_.push_back(std::move(finding));
  }

  std::vector<Finding> findings_;
  bool valid_ = true;
};

}  // namespace spalt::metadata
