// SPDX-License-Identifier: MIT
//
// Runs a dispatch that the Vulkan driver has written (SPALT_ICD_DUMP): the program, all memory at its addresses, the
// user data.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <spalt/device.hpp>

#include "debug_console.h"
#include "files.h"

namespace spalt_tool {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr uint64_t kMaxMemory = uint64_t{1} << 36;

struct Options {
  std::string file;
  uint32_t threads = 1;
  bool statistics = false;
  DebugConsole debug;
};

struct Memory {
  uint64_t address = 0;
  std::string name;
  bool read_only = false;
  std::vector<uint64_t> words;
  uint64_t size = 0;
};

struct Dispatch {
  std::string target;
  std::vector<uint8_t> elf;
  uint64_t program_address = 0, table_address = 0;
  std::vector<uint32_t> user_data;
  uint32_t first[3]{}, count[3]{};
  uint64_t step_limit = 0;
  uint64_t border_colors = 0;
  std::optional<uint64_t> hierarchy_seed;
  std::vector<Memory> memory;
};

/// What is wrong with the file.
struct Malformed {
  std::string text;
};

int fail(const std::string& message, ExitCode code) {
  std::fprintf(stderr, "spalt: %s\n", message.c_str());
  return code;
}

std::vector<uint8_t> load_file(const fs::path& path) {
  std::vector<uint8_t> bytes;
  std::string error;
  if (!read_file(path.string(), bytes, error)) throw Malformed{error};
  return bytes;
}

uint64_t read_address(const Json& json, const char* name) {
  const std::string text = json.at(name).get<std::string>();
  size_t used = 0;
  const uint64_t value = std::stoull(text, &used, 16);
  if (used != text.size()) throw Malformed{std::string(name) + ": " + text + " is no address"};
  return value;
}

void read_three(const Json& json, uint32_t (&values)[3]) {
  const auto list = json.get<std::vector<uint32_t>>();
  if (list.size() != 3) throw Malformed{"expected three numbers: " + json.dump()};
  std::copy(list.begin(), list.end(), values);
}

Memory read_memory(const Json& json, const fs::path& folder) {
  Memory memory;
  memory.address = read_address(json, "address");
  memory.size = json.at("size").get<uint64_t>();
  memory.name = json.at("name").get<std::string>();
  memory.read_only = json.at("read_only").get<bool>();
  if (memory.size == 0 || memory.size > kMaxMemory)
    throw Malformed{"memory of " + std::to_string(memory.size) + " bytes"};
  const std::vector<uint8_t> bytes = load_file(folder / json.at("file").get<std::string>());
  if (bytes.size() > memory.size) throw Malformed{memory.name + ": the file is larger than the memory"};
  memory.words.resize((memory.size + 7) / 8);
  if (!bytes.empty()) std::memcpy(memory.words.data(), bytes.data(), bytes.size());
  return memory;
}

Dispatch parse(const std::string& file) {
  const std::vector<uint8_t> text = load_file(file);
  const Json json = Json::parse(text.begin(), text.end());
  const fs::path folder = fs::path(file).parent_path();
  Dispatch dispatch;
  dispatch.target = json.at("target").get<std::string>();
  dispatch.elf = load_file(folder / json.at("program").get<std::string>());
  dispatch.program_address = read_address(json, "program_address");
  dispatch.table_address = read_address(json, "table_address");
  dispatch.user_data = json.at("user_data").get<std::vector<uint32_t>>();
  read_three(json.at("first_workgroup"), dispatch.first);
  read_three(json.at("workgroups"), dispatch.count);
  dispatch.step_limit = json.at("step_limit").get<uint64_t>();
  if (json.contains("border_colors")) dispatch.border_colors = read_address(json, "border_colors");
  if (json.contains("hierarchy_seed")) dispatch.hierarchy_seed = json.at("hierarchy_seed").get<uint64_t>();
  for (const Json& part : json.at("memory")) dispatch.memory.push_back(read_memory(part, folder));
  return dispatch;
}

Dispatch read_dispatch(const std::string& file) {
  try {
    return parse(file);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Malformed{file + ": " + error.what()};
  }
}

void print_statistics(const spalt_counters& counters) {
  std::fprintf(stderr, "executed %llu instructions, %llu lane operations\n",
               static_cast<unsigned long long>(counters.instructions),
               static_cast<unsigned long long>(counters.lane_operations));
}

int execute(Options& options, Dispatch& dispatch) {
  const spalt_api::AddressSpace space;
  if (!space.ok()) return fail(spalt_result_string(space.result()), kInternal);
  for (Memory& memory : dispatch.memory) {
    const spalt_api::Outcome mapped =
        space.map(memory.address, memory.words.data(), memory.size, memory.name.c_str(), memory.read_only);
    if (!mapped.ok()) return fail(mapped.message, kInput);
  }
  const spalt_api::Program program(space, dispatch.elf.data(), dispatch.elf.size(), dispatch.program_address, "code");
  if (!program.ok()) return fail(program.outcome().message, kInput);
  spalt_device_create_info device_info = spalt_api::Device::info(space, options.threads);
  device_info.target = dispatch.target.c_str();
  device_info.table_address = dispatch.table_address;
  const spalt_api::Device device(device_info);
  if (!device.ok()) return fail(device.outcome().message, kInput);
  std::string error;
  if (!options.debug.attach(device.handle(), error)) return fail(error, kUsage);
  spalt_dispatch_info info = spalt_api::Device::dispatch_info(program, dispatch.user_data);
  std::copy(std::begin(dispatch.first), std::end(dispatch.first), std::begin(info.first_workgroup));
  std::copy(std::begin(dispatch.count), std::end(dispatch.count), std::begin(info.workgroup_count));
  info.step_limit = info.workgroup_step_limit = dispatch.step_limit;
  info.border_colors = dispatch.border_colors;
  info.memory_hierarchy = dispatch.hierarchy_seed.has_value() ? 1 : 0;
  info.hierarchy_seed = dispatch.hierarchy_seed.value_or(0);
  const spalt_api::Device::Report report = device.dispatch(info);
  if (options.statistics) print_statistics(report.counters);
  if (report.result == SPALT_ERROR_EXECUTION) return fail(report.fault.message, kExecution);
  if (!report.ok() && report.result != SPALT_STOPPED) return fail(report.fault.message, kInput);
  return kOk;
}

int run_dispatch(Options& options) {
  try {
    Dispatch dispatch = read_dispatch(options.file);
    return execute(options, dispatch);
  } catch (const Malformed& malformed) {
    return fail(malformed.text, kInput);
  }
}

}  // namespace

void add_dispatch_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command("dispatch",
                                     "Execute a dispatch that the Vulkan driver has written because it failed "
                                     "(SPALT_ICD_DUMP)\n"
                                     "Example: spalt dispatch dumps/fault-0/dispatch.json --trace",
                                     [options] { return run_dispatch(*options); });
  command.add_option("file", options->file, "dispatch.json of the folder that was written").required();
  command.add_option("--threads", options->threads, "Host threads; 0: all").show_default();
  command.add_flag("--stats", options->statistics, "Tell on stderr what was executed");
  options->debug.add_options(command);
}

}  // namespace spalt_tool
