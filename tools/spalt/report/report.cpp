// SPDX-License-Identifier: MIT
#include "report/report.h"

#include <nlohmann/json.hpp>

#include "compiler.h"
#include "estimate_report.h"
#include "files.h"

namespace spalt_tool {
namespace {

constexpr const char* kPage =
#include "page.inc"  // generated from page.html
    ;
constexpr std::string_view kPlace = "@SPALT_REPORT@";

/// JSON inside of a script element: nothing in it may look like the element's end.
std::string script_text(const nlohmann::ordered_json& json) {
  constexpr auto kReplaceBadText = nlohmann::ordered_json::error_handler_t::replace;
  std::string text = json.dump(-1, ' ', false, kReplaceBadText);
  for (size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.replace(at, 2, "<\\/");
  for (size_t at = 0; (at = text.find("<!--", at)) != std::string::npos; at += 4) text.replace(at, 4, "\\u003c!--");
  return text;
}

struct SourceDeleter {
  void operator()(spalt_source* source) const { spalt_source_destroy(source); }
};

std::string base_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

/// Compilers put comments in front of the text of a module, and where the first line begins.
std::string without_preamble(std::string text) {
  constexpr std::string_view kFirstLine = "#line 1\n";
  size_t at = 0;
  while (text.compare(at, 2, "//") == 0 && at < text.size()) {
    at = text.find('\n', at);
    if (at == std::string::npos) return text;
    ++at;
  }
  return text.compare(at, kFirstLine.size(), kFirstLine) == 0 ? text.substr(at + kFirstLine.size()) : text;
}

/// Of an ELF with two stages, the other one is the vertex shader, whose entry point has one of several names.
constexpr std::string_view kFragmentEntry = "_amdgpu_ps_main";

void add_origins(const Report::StageOrigins& stage, nlohmann::ordered_json& program) {
  auto origins = nlohmann::ordered_json::array();
  for (const spalt_code_origin& origin : stage.origins) origins.push_back({origin.code_offset, origin.word});
  program["module"] = stage.module;
  program["origins"] = std::move(origins);
}

}  // namespace

struct Report::Contents {
  std::string title;
  nlohmann::ordered_json modules = nlohmann::ordered_json::array(), texts = nlohmann::ordered_json::array(),
                         programs = nlohmann::ordered_json::array();
};

Report::Report(std::string title) : contents_(std::make_unique<Contents>()) {
  contents_->title = std::move(title);
}

Report::~Report() = default;

size_t Report::add_module(const std::string& path, const std::string& text, std::span<const uint32_t> words) {
  const size_t module = contents_->modules.size();
  auto lines = nlohmann::ordered_json::array();
  spalt_source* raw = nullptr;
  spalt_source_create(words.data(), words.size(), &raw);
  const std::unique_ptr<spalt_source, SourceDeleter> source(raw);
  size_t count = 0;
  const spalt_source_line* line = spalt_source_lines(raw, &count);
  for (size_t i = 0; i < count; ++i) lines.push_back({line[i].word, line[i].file, line[i].line});
  contents_->modules.push_back({{"lines", std::move(lines)}});
  bool shows_file = false;
  for (size_t i = 0; i < spalt_source_file_count(raw); ++i) {
    spalt_source_file file{};
    file.struct_size = sizeof file;
    spalt_source_get_file(raw, i, &file);
    const bool is_file = !text.empty() && base_name(file.name) == base_name(path);
    shows_file |= is_file;
    if (!is_file && file.text == nullptr) continue;
    contents_->texts.push_back({{"name", base_name(is_file ? path : file.name)},
                                {"text", is_file ? text : without_preamble(file.text)},
                                {"module", module},
                                {"file", i}});
  }
  if (!shows_file && !text.empty()) contents_->texts.push_back({{"name", base_name(path)}, {"text", text}});
  return module;
}

void Report::add_form(size_t module, const std::string& name, const std::string& text) {
  contents_->texts.push_back({{"name", name}, {"text", text}, {"module", module}});
}

Failure Report::add_elf(const std::string& label, const void* bytes, size_t size,
                        std::span<const StageOrigins> stages) {
  const auto* begin = static_cast<const uint8_t*>(bytes);
  return add_code(label, {{begin, begin + size}, true}, {}, 0, stages);
}

Failure Report::add_file(const std::string& path, const std::string& target, uint32_t wave_size) {
  MachineCode code;
  std::string error;
  if (!read_file(path, code.bytes, error)) return {kInput, error};
  if (Failure failure = make_machine_code(path, target, wave_size, code); failure.code != kOk) return failure;
  return add_code(path, code, target, wave_size, {});
}

Failure Report::add_code(const std::string& label, const MachineCode& code, const std::string& target,
                         uint32_t wave_size, std::span<const StageOrigins> stages) {
  spalt_estimate_info info{};
  info.struct_size = sizeof info;
  info.target = code.is_elf ? nullptr : target.c_str();
  info.code = code.bytes.data();
  info.size = code.bytes.size();
  info.wave_size = wave_size;
  spalt_estimate* raw = nullptr;
  const spalt_result result = spalt_estimate_code(&info, &raw);
  const Estimate estimate(raw);
  if (result != SPALT_SUCCESS) {
    const std::string message = spalt_estimate_message(raw);
    return {exit_code_of(result), label + ": " + (message.empty() ? spalt_result_string(result) : message)};
  }
  for (size_t p = 0; p < spalt_estimate_program_count(raw); ++p) {
    nlohmann::ordered_json program = program_json(label, raw, p, true);
    const std::string name = program["program"];
    program["label"] = label + (name.empty() ? "" : ": " + name) + ", " + program["target"].get<std::string>() +
                       " wave" + std::to_string(program["wave_size"].get<unsigned>());
    for (const StageOrigins& stage : stages) {
      if ((name == kFragmentEntry) == (stage.stage == SPALT_STAGE_FRAGMENT)) add_origins(stage, program);
    }
    contents_->programs.push_back(std::move(program));
  }
  return {};
}

Failure Report::write(const std::string& path) const {
  const nlohmann::ordered_json data = {{"title", contents_->title},
                                       {"modules", contents_->modules},
                                       {"texts", contents_->texts},
                                       {"programs", contents_->programs}};
  std::string page = kPage;
  page.replace(page.find(kPlace), kPlace.size(), script_text(data));
  std::string error;
  if (!write_file(path, page.data(), page.size(), error)) return {kInput, error};
  return {};
}

}  // namespace spalt_tool
