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

}  // namespace

struct Report::Contents {
  std::string title;
  nlohmann::ordered_json texts = nlohmann::ordered_json::array(), programs = nlohmann::ordered_json::array();
};

Report::Report(std::string title) : contents_(std::make_unique<Contents>()) {
  contents_->title = std::move(title);
}

Report::~Report() = default;

void Report::add_text(const std::string& name, const std::string& text) {
  contents_->texts.push_back({{"name", name}, {"text", text}});
}

Failure Report::add_elf(const std::string& label, const void* bytes, size_t size) {
  const auto* begin = static_cast<const uint8_t*>(bytes);
  return add_code(label, {{begin, begin + size}, true}, {}, 0);
}

Failure Report::add_file(const std::string& path, const std::string& target, uint32_t wave_size) {
  MachineCode code;
  std::string error;
  if (!read_file(path, code.bytes, error)) return {kInput, error};
  if (Failure failure = make_machine_code(path, target, wave_size, code); failure.code != kOk) return failure;
  return add_code(path, code, target, wave_size);
}

Failure Report::add_code(const std::string& label, const MachineCode& code, const std::string& target,
                         uint32_t wave_size) {
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
    contents_->programs.push_back(std::move(program));
  }
  return {};
}

Failure Report::write(const std::string& path) const {
  const nlohmann::ordered_json data = {
      {"title", contents_->title}, {"texts", contents_->texts}, {"programs", contents_->programs}};
  std::string page = kPage;
  page.replace(page.find(kPlace), kPlace.size(), script_text(data));
  std::string error;
  if (!write_file(path, page.data(), page.size(), error)) return {kInput, error};
  return {};
}

}  // namespace spalt_tool
