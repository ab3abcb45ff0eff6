// SPDX-License-Identifier: MIT
#include "amdgpu/abi/stage_interface.h"

#include <algorithm>

namespace spalt::abi {

isa::Reg StageInterface::user_register(uint32_t content) const {
  for (unsigned i = 0; i < user_sgpr_count; ++i) {
    if (user_data[i] == content) return isa::sgpr(first_user_sgpr + i);
  }
  return isa::kNoReg;
}

EntryField StageInterface::field(EntryRole role) const {
  for (const EntryField& field : fields) {
    if (field.role == role) return field;
  }
  return {};
}

isa::Reg UserSgprs::place(unsigned first, uint32_t content, unsigned registers) {
  for (unsigned i = 0; i < registers; ++i) {
    interface_.user_data[first + i] = content;
    taken_[first + i] = true;
  }
  interface_.user_sgpr_count = static_cast<uint8_t>(std::max<unsigned>(interface_.user_sgpr_count, first + registers));
  return isa::sgpr(interface_.first_user_sgpr + first);
}

isa::Reg UserSgprs::place_next(uint32_t content) {
  for (unsigned reg = 0; reg < count_; ++reg) {
    if (!taken_[reg]) return place(reg, content);
  }
  return isa::kNoReg;
}

/// Two entries that follow each other, into a register with an even number and the next one. False if none are free.
bool UserSgprs::place_next_pair(uint32_t content) {
  for (unsigned reg = interface_.first_user_sgpr % 2; reg + 1 < count_; reg += 2) {
    if (taken_[reg] || taken_[reg + 1]) continue;
    place(reg, content);
    place(reg + 1, content + 1);
    return true;
  }
  return false;
}

bool UserSgprs::place_table(uint32_t content) {
  for (unsigned reg = interface_.first_user_sgpr % 2; reg + 1 < count_; reg += 2) {
    if (taken_[reg] || taken_[reg + 1]) continue;
    place(reg, content);
    place(reg + 1, kNotMapped);
    return true;
  }
  return false;
}

unsigned UserSgprs::free_count() const {
  return static_cast<unsigned>(std::count(taken_.begin(), taken_.begin() + count_, false));
}

void UserSgprs::place_user_data(const UserDataNeeds& needs, const UserDataLayout& layout) {
  SmallVector<uint32_t, 40> wanted(needs.set_entries.span());
  if (!needs.push_constants_indexed) wanted.append(needs.push_entries.span());
  const bool spills = needs.push_constants_indexed || wanted.size() > free_count();
  const size_t in_registers = std::min<size_t>(wanted.size(), free_count() - (spills ? 1 : 0));
  size_t spare = free_count() - in_registers - (spills ? 1 : 0);
  for (size_t i = 0; i < in_registers; ++i) {
    const bool is_table = std::binary_search(needs.tables.begin(), needs.tables.end(), wanted[i]);
    const bool is_pair = i + 1 < in_registers && wanted[i + 1] == wanted[i] + 1 &&
                         std::binary_search(needs.push_pairs.begin(), needs.push_pairs.end(), wanted[i]);
    if (is_table && spare != 0 && place_table(wanted[i])) {
      --spare;
    } else if (is_pair && place_next_pair(wanted[i])) {
      ++i;
    } else {
      place_next(wanted[i]);
    }
    interface_.user_data_limit = std::max(interface_.user_data_limit, wanted[i] + 1);
  }
  if (!spills) return;
  if (!needs.tables_in_pairs || spare == 0 || !place_table(kSpillTable)) place_next(kSpillTable);
  interface_.user_data_limit = layout.entry_count;
  if (needs.push_constants_indexed) interface_.spill_threshold = layout.push_constant_entry;
  for (size_t i = in_registers; i < wanted.size(); ++i) {
    interface_.spill_threshold = std::min(interface_.spill_threshold, wanted[i]);
  }
}

}  // namespace spalt::abi
