// SPDX-License-Identifier: MIT
#include "spirv/source/source_map.h"

#include <spirv/unified1/spirv.hpp>
#include <unordered_map>

#include "spirv/module/walk.h"
#include "spirv/source/lines.h"

namespace spalt::spirv {
namespace {

/// Of all texts together. A module may name one long string any number of times.
constexpr size_t kTextBytes = size_t{64} << 20;

class MapReader {
 public:
  explicit MapReader(std::span<const uint32_t> words) : words_(words) {}

  Result<SourceMap> run() {
    const Result<void> walked = walk_module(words_, [this](const Instruction& in) { visit(in); });
    if (!walked) return walked.error();
    return std::move(out_);
  }

 private:
  void visit(const Instruction& in) {
    lines_.visit(in);
    note_text(in);
    note_line(in.offset);
  }

  void note_line(uint32_t at) {
    const uint32_t line = lines_.line();
    const uint32_t file = line == 0 ? 0 : file_of(lines_.file());
    const SourceLine last = out_.lines.empty() ? SourceLine() : out_.lines.back();
    if (line == last.line && (line == 0 || file == last.file)) return;
    out_.lines.push_back({at, file, line});
  }

  /// Different strings with one name are one file.
  uint32_t file_of(uint32_t string) {
    if (const auto found = by_string_.find(string); found != by_string_.end()) return found->second;
    const std::string name(lines_.string(string));
    const auto [entry, is_new] = by_name_.emplace(name, static_cast<uint32_t>(out_.files.size()));
    if (is_new) out_.files.push_back({name, {}});
    by_string_.emplace(string, entry->second);
    return entry->second;
  }

  void note_text(const Instruction& in) {
    std::string_view text;
    if (in.opcode == spv::OpSource) {
      text_of_ = in.count > 3 ? file_of(in[3]) : kNone;
      if (literal_string(in, 4, text)) begin_text(text);
    } else if (in.opcode == spv::OpSourceContinued) {
      if (literal_string(in, 1, text)) add_text(text);
    } else if (lines_.is_debug(in, LineReader::kDebugSource)) {
      text_of_ = in.count > 5 ? file_of(in[5]) : kNone;
      if (in.count > 6) begin_text(lines_.string(in[6]));
    } else if (lines_.is_debug(in, LineReader::kDebugSourceContinued)) {
      if (in.count > 5) add_text(lines_.string(in[5]));
    }
  }

  void begin_text(std::string_view text) {
    if (text_of_ != kNone && !out_.files[text_of_].text.empty()) text_of_ = kNone;  // the first one counts
    add_text(text);
  }

  void add_text(std::string_view text) {
    if (text_of_ == kNone || text.size() > kTextBytes - text_bytes_) return;
    text_bytes_ += text.size();
    out_.files[text_of_].text += text;
  }

  static constexpr uint32_t kNone = ~0u;
  const std::span<const uint32_t> words_;
  LineReader lines_;
  SourceMap out_;
  std::unordered_map<uint32_t, uint32_t> by_string_;
  std::unordered_map<std::string, uint32_t> by_name_;
  uint32_t text_of_ = kNone;  ///< the file whose text may go on
  size_t text_bytes_ = 0;
};

}  // namespace

Result<SourceMap> read_source_map(std::span<const uint32_t> words) {
  return MapReader(words).run();
}

}  // namespace spalt::spirv
