// SPDX-License-Identifier: MIT
#include "emu/device/bound_buffers.h"

#include <algorithm>
#include <cstring>

#include "amdgpu/object/stage_object.h"
#include "emu/memory/descriptor.h"

namespace spalt::emu {
namespace {

/// num_records counts 32 bits of bytes.
constexpr uint64_t kMaxBufferBytes = 0xffffffffu;
constexpr uint32_t kMaxTableOffset = 0x1000000;
constexpr uint64_t kBufferAlignment = 0x100000;

std::array<uint32_t, 4> descriptor_of(const BufferBinding& buffer, uint64_t address, const isa::Target& target) {
  BufferDescriptor descriptor;
  descriptor.base = address;
  descriptor.num_records = static_cast<uint32_t>(buffer.size);
  descriptor.oob_select = kOobRaw;
  return encode_descriptor(descriptor, target);
}

/// Without data, zeros where nothing is yet.
void put(std::vector<uint8_t>& table, uint32_t offset, const void* data, size_t size) {
  if (table.size() < offset + size) table.resize(offset + size, 0);
  if (data != nullptr && size != 0) std::memcpy(table.data() + offset, data, size);
}

Result<void> check(const BufferBinding& buffer) {
  if (buffer.size > kMaxBufferBytes) {
    return Error{Status::limit_exceeded, buffer.name + " is larger than a descriptor can say"};
  }
  const uint32_t last = buffer.entry + (buffer.form == BufferForm::user_data_descriptor ? 3 : 0);
  if (last >= object::kUserDataEntryLimit) {
    return Error{Status::invalid_argument, buffer.name + " names a user-data entry that does not exist"};
  }
  if (buffer.offset > kMaxTableOffset || (buffer.form == BufferForm::bytes && buffer.size > kMaxTableOffset)) {
    return Error{Status::limit_exceeded, buffer.name + " lies too far into its table"};
  }
  return {};
}

}  // namespace

BoundBuffers::~BoundBuffers() {
  for (const uint64_t base : mapped_) space_->unmap(base);
}

/// The address; 0 for a buffer without bytes.
Result<uint64_t> BoundBuffers::add_buffer(const BufferBinding& buffer) {
  if (buffer.size == 0) return uint64_t{0};
  mapped_.reserve(mapped_.size() + 1);
  Result<uint64_t> at =
      space_->map_anywhere(Area::buffers, kBufferAlignment, {0, buffer.size, buffer.data, true, buffer.name, {}});
  if (at) mapped_.push_back(*at);
  return at;
}

Result<void> BoundBuffers::add(const std::vector<BufferBinding>& buffers, const isa::Target& target,
                               std::vector<uint32_t>& user_data) {
  Tables tables;
  for (const BufferBinding& buffer : buffers) {
    if (Result<void> done = check(buffer); !done) return done;
    if (buffer.form == BufferForm::bytes) {
      put(tables[buffer.entry], buffer.offset, buffer.data, buffer.size);
      continue;
    }
    const Result<uint64_t> at = add_buffer(buffer);
    if (!at) return at.error();
    const std::array<uint32_t, 4> words = descriptor_of(buffer, *at, target);
    if (buffer.form == BufferForm::descriptor) {
      put(tables[buffer.entry], buffer.offset, words.data(), sizeof words);
      continue;
    }
    if (user_data.size() < buffer.entry + words.size()) user_data.resize(buffer.entry + words.size(), 0);
    std::copy(words.begin(), words.end(), user_data.begin() + buffer.entry);
  }
  return add_tables(tables, user_data);
}

Result<void> BoundBuffers::add_tables(Tables& tables, std::vector<uint32_t>& user_data) {
  mapped_.reserve(mapped_.size() + tables.size());
  for (auto& [entry, bytes] : tables) {
    const auto table = std::make_shared<std::vector<uint8_t>>(std::move(bytes));
    std::string name = "descriptor table of entry " + std::to_string(entry);
    const Result<uint64_t> at =
        space_->map_anywhere(Area::tables, 1, {0, table->size(), table->data(), false, std::move(name), table});
    if (!at) return at.error();
    mapped_.push_back(*at);
    if (user_data.size() <= entry) user_data.resize(entry + 1, 0);
    user_data[entry] = static_cast<uint32_t>(*at);
  }
  return {};
}

}  // namespace spalt::emu
