// SPDX-License-Identifier: MIT
#include "icd/device/fault_dump.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <system_error>

namespace spalt::icd {
namespace {

namespace fs = std::filesystem;

/// Without the zeros at the end.
std::span<const std::byte> significant(std::span<const std::byte> bytes) {
  const auto last = std::find_if(bytes.rbegin(), bytes.rend(), [](std::byte byte) { return byte != std::byte{0}; });
  return bytes.first(static_cast<size_t>(bytes.rend() - last));
}

std::string quoted(const std::string& text) {
  std::ostringstream out;
  out << '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out << '\\' << c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out << "\\u" << std::hex << std::setw(4) << std::setfill('0') << static_cast<int>(c) << std::dec;
    } else {
      out << c;
    }
  }
  out << '"';
  return out.str();
}

/// JSON has no hexadecimal numbers.
std::string hexadecimal(uint64_t value) {
  std::ostringstream out;
  out << "\"0x" << std::hex << value << '"';
  return out.str();
}

template <typename Values>
std::string list(const Values& values) {
  std::string text;
  for (const uint32_t value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return '[' + text + ']';
}

std::string layout_json(const spalt_user_data_layout& layout) {
  std::ostringstream out;
  out << "{\n    \"push_constant_entry\": " << layout.push_constant_entry
      << ",\n    \"push_constant_dwords\": " << layout.push_constant_dwords << ",\n    \"bindings\": [";
  for (size_t i = 0; i < layout.binding_count; ++i) {
    const spalt_binding_location& binding = layout.bindings[i];
    out << (i == 0 ? "" : ",") << "\n      {\"set\": " << binding.set << ", \"binding\": " << binding.binding
        << ", \"count\": " << binding.count << ", \"user_data_entry\": " << binding.user_data_entry
        << ", \"offset\": " << binding.offset << ", \"stride\": " << binding.stride << ", \"kind\": " << binding.kind
        << '}';
  }
  out << "]\n  }";
  return out.str();
}

std::string memory_file(size_t index) {
  return "memory_" + std::to_string(index) + ".bin";
}

std::string memory_json(const MemoryImage& memory) {
  std::ostringstream out;
  out << '[';
  for (size_t i = 0; i < memory.parts().size(); ++i) {
    const MemoryImage::Part& part = memory.parts()[i];
    out << (i == 0 ? "" : ",") << "\n    {\"address\": " << hexadecimal(part.address) << ", \"size\": " << part.size
        << ", \"name\": " << quoted(part.name) << ", \"read_only\": " << (part.read_only ? "true" : "false")
        << ", \"file\": " << quoted(memory_file(i)) << '}';
  }
  out << ']';
  return out.str();
}

std::string dispatch_json(const DispatchDump& dump, const MemoryImage& memory, bool before) {
  std::ostringstream out;
  out << "{\n  \"fault\": " << quoted(dump.fault) << ",\n  \"target\": " << quoted(dump.target)
      << ",\n  \"program\": \"code.elf\",\n  \"program_address\": " << hexadecimal(dump.program_address)
      << ",\n  \"table_address\": " << hexadecimal(dump.table_address) << ",\n  \"user_data\": " << list(dump.user_data)
      << ",\n  \"first_workgroup\": " << list(dump.first_workgroup) << ",\n  \"workgroups\": " << list(dump.workgroups)
      << ",\n  \"step_limit\": " << dump.step_limit;
  if (dump.border_colors != 0) out << ",\n  \"border_colors\": " << hexadecimal(dump.border_colors);
  if (dump.hierarchy_seed) out << ",\n  \"hierarchy_seed\": " << *dump.hierarchy_seed;
  out << ",\n  \"memory_is_from_before\": " << (before ? "true" : "false")
      << ",\n  \"interleaved\": " << (dump.interleaved ? "true" : "false") << ",\n  \"memory\": " << memory_json(memory)
      << ",\n  \"layout\": " << layout_json(dump.layout) << "\n}\n";
  return out.str();
}

/// The first of fault-0, fault-1, ... that is not there yet. Throws fs::filesystem_error.
fs::path create_folder(const std::string& parent) {
  fs::create_directories(parent);
  for (uint64_t number = 0;; ++number) {
    fs::path path = fs::path(parent) / ("fault-" + std::to_string(number));
    if (fs::create_directory(path)) return path;
  }
}

template <typename Bytes>
void write_file(const fs::path& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size() * sizeof(*bytes.data())));
  file.close();
  if (!file) throw fs::filesystem_error("cannot be written", path, std::make_error_code(std::errc::io_error));
}

fs::path write_files(const std::string& folder, const DispatchDump& dump, const MemoryImage& memory, bool before) {
  fs::path path = create_folder(folder);
  write_file(path / "code.elf", dump.elf);
  if (!dump.spirv.empty()) write_file(path / "shader.spv", dump.spirv);
  for (size_t i = 0; i < memory.parts().size(); ++i) write_file(path / memory_file(i), memory.parts()[i].bytes);
  write_file(path / "dispatch.json", dispatch_json(dump, memory, before));
  return path;
}

}  // namespace

MemoryImage::MemoryImage(DeviceSpace& space) {
  space.for_each_block([&](const Block& block, const std::string& name, bool read_only) {
    const std::span<const std::byte> bytes = significant({block.host, block.size});
    parts_.push_back({block.address, block.size, name, read_only, {bytes.begin(), bytes.end()}});
  });
}

uint64_t mapped_bytes(DeviceSpace& space) {
  uint64_t bytes = 0;
  space.for_each_block([&](const Block& block, const std::string&, bool) { bytes += block.size; });
  return bytes;
}

std::string write_dump(const std::string& folder, const DispatchDump& dump, const MemoryImage* before,
                       DeviceSpace& space) {
  try {
    const fs::path path =
        write_files(folder, dump, before != nullptr ? *before : MemoryImage(space), before != nullptr);
    return "shown again by: spalt dispatch " + (path / "dispatch.json").string();
  } catch (const fs::filesystem_error& error) {
    return std::string("not written: ") + error.what();
  }
}

}  // namespace spalt::icd
