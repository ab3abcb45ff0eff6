// SPDX-License-Identifier: MIT
#include "icd/command/binding_state.h"

#include <algorithm>
#include <cstring>

namespace spalt::icd {
namespace {

void set_entry(uint32_t* entries, uint32_t count, uint32_t entry, uint32_t value) {
  if (entry < count) entries[entry] = value;
}

}  // namespace

void BindingState::bind_pipeline(const BoundPipeline* pipeline) {
  pipeline_ = pipeline;
  changed_ = true;
}

void BindingState::bind_set(uint32_t number, uint64_t address, uint64_t dynamic_address,
                            std::shared_ptr<DescribedImages> images) {
  if (number >= sets_.size()) return;
  sets_[number] = {};
  sets_[number].table = static_cast<uint32_t>(address);
  sets_[number].dynamic_table = static_cast<uint32_t>(dynamic_address);
  sets_[number].images = std::move(images);
  changed_ = true;
}

void BindingState::push_constants(uint32_t offset, uint32_t size, const void* values) {
  if (offset >= kMaxPushConstantBytes) return;
  auto* bytes = reinterpret_cast<std::byte*>(push_constants_.data());
  std::memcpy(bytes + offset, values, std::min(size, kMaxPushConstantBytes - offset));
  changed_ = true;
}

DescriptorTable BindingState::push_table(uint32_t number, const SetLayoutRef& layout, TableArena& tables,
                                         bool describes_images) {
  Set& set = sets_[number];
  if (set.pushed_layout != layout.get() || set.used) {
    const TableMemory fresh = tables.allocate(layout->table_bytes);
    std::shared_ptr<DescribedImages> images;
    if (describes_images) {
      const bool continues = set.pushed_layout == layout.get() && set.images != nullptr;
      images = continues ? std::make_shared<DescribedImages>(*set.images) : std::make_shared<DescribedImages>();
    }
    if (set.pushed_layout == layout.get()) {
      std::memcpy(fresh.host, set.pushed.host, layout->table_bytes);
    } else {
      layout->write_immutable_samplers(fresh.host, layout->table_bytes);
    }
    set = {static_cast<uint32_t>(fresh.address), 0, layout.get(), fresh, false, std::move(images)};
    changed_ = true;
  }
  return {layout.get(), set.pushed.host, set.pushed.address, nullptr, set.images.get()};
}

UserData BindingState::snapshot(HostArena& arena, const PrintfLog* printf_log) {
  if (!changed_) return snapshot_;
  const PipelineLayoutContents& layout = *pipeline_->layout;
  const uint32_t count = std::min<uint32_t>(layout.entry_count, SPALT_MAX_USER_DATA_ENTRIES);
  auto* entries = arena.allocate_array<uint32_t>(count);
  std::fill_n(entries, count, 0);
  if (layout.prints && printf_log != nullptr) {
    set_entry(entries, count, 0, static_cast<uint32_t>(printf_log->table_address()));
  }
  for (size_t i = 0; i < std::min(layout.entries.size(), sets_.size()); ++i) {
    set_entry(entries, count, layout.entries[i].table, sets_[i].table);
    set_entry(entries, count, layout.entries[i].dynamic_table, sets_[i].dynamic_table);
    sets_[i].used = true;
  }
  for (uint32_t i = 0; i < std::min<uint32_t>(layout.push_constant_dwords, push_constants_.size()); ++i) {
    set_entry(entries, count, layout.push_constant_entry + i, push_constants_[i]);
  }
  snapshot_ = {entries, count};
  changed_ = false;
  return snapshot_;
}

}  // namespace spalt::icd
