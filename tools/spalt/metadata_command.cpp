// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>

#include "compiler.h"
#include "files.h"

namespace spalt_tool {
namespace {

struct Options {
  std::string path;
  bool json = false, check = false;
};

struct MetadataDeleter {
  void operator()(spalt_metadata* metadata) const { spalt_metadata_destroy(metadata); }
};

/// Findings, one in a line. Returns the number of errors.
size_t print_findings(const spalt_metadata* metadata, FILE* out) {
  size_t errors = 0;
  for (size_t i = 0; i < spalt_metadata_finding_count(metadata); ++i) {
    spalt_metadata_finding finding{};
    finding.struct_size = sizeof finding;
    if (spalt_metadata_get_finding(metadata, i, &finding) != SPALT_SUCCESS) continue;
    errors += finding.is_error;
    std::fprintf(out, "%s: %s%s%s [%s]\n", finding.is_error != 0 ? "error" : "note", finding.path,
                 finding.path[0] != '\0' ? ": " : "", finding.message, finding.rule);
  }
  return errors;
}

int show(const Options& options) {
  std::vector<uint8_t> bytes;
  std::string error;
  if (!read_file(options.path, bytes, error)) {
    std::fprintf(stderr, "spalt: %s\n", error.c_str());
    return kInput;
  }
  spalt_metadata* raw = nullptr;
  const spalt_result result = spalt_metadata_read(bytes.data(), bytes.size(), &raw);
  const std::unique_ptr<spalt_metadata, MetadataDeleter> metadata(raw);
  const char* text = options.json ? spalt_metadata_json(raw) : spalt_metadata_text(raw);
  if (text != nullptr && !options.check) std::fputs(text, stdout);
  if (!options.json || options.check || text == nullptr) {
    const size_t errors = print_findings(raw, options.check ? stdout : stderr);
    if (options.check) std::printf("%s: %s\n", options.path.c_str(), errors == 0 ? "valid" : "invalid");
  }
  if (text != nullptr && !options.check) return kOk;
  return exit_code_of(result);
}

}  // namespace

void add_metadata_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command(
      "metadata",
      "Show the PAL metadata of an AMDGPU ELF, of any compiler, and what loaders would not like about it\n"
      "Raw register values and user-data codes are explained after a #. Findings go to stderr: errors are what "
      "loaders "
      "refuse, assert on or get wrong on the ELF's processor; notes are what they skip, such as unknown keys.\n"
      "Example: spalt metadata out.elf --check",
      [options] { return show(*options); });
  command.add_option("file", options->path, "PAL code object").required();
  command.add_flag("--json", options->json, "Print JSON: target, valid, metadata, registers, findings");
  command.add_flag("--check", options->check, "Print the findings alone; exit code 2 when there are errors");
}

}  // namespace spalt_tool
