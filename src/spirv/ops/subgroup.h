// SPDX-License-Identifier: MIT
// What the files about subgroups share.
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

/// Finds the word of the first operand after the execution scope, which must be Subgroup; instructions of the older
/// extensions name none. At least `operands` must follow.
bool skip_scope(Reader& r, const Instruction& in, uint32_t operands, uint32_t& first);

/// SubgroupLocalInvocationId.
ir::Value subgroup_id(Reader& r);
/// The invocation belongs to the second word of a ballot, which subgroups of at most 32 do not have.
ir::Value is_in_second(Reader& r, ir::Value invocation);

/// The second word of a ballot: 0 where subgroups have at most 32 invocations.
ir::Value second_word(Reader& r, ir::Value word);
/// 1 where the bit of `invocation` is set in a ballot.
ir::Value ballot_bit(Reader& r, ir::Value low, ir::Value high, ir::Value invocation);

/// A value in words of 32 bits, for operations that move words between invocations: at most two. Booleans and numbers
/// of less bits are a word each.
struct MovedWords {
  ir::Value words[2];
  uint32_t count = 0;
};
MovedWords words_of(Reader& r, ir::Value value);
ir::Value from_words(Reader& r, const MovedWords& moved, ir::Type type);
/// The value of the invocation `lane`, one of the own group of 32 or 64 (Op::shuffle).
ir::Value shuffled(Reader& r, ir::Value value, ir::Value lane, uint32_t group);
/// The same within a quad: bits 2i and 2i + 1 of `lanes` name the lane that lane i reads (Op::quad_permute).
ir::Value permuted(Reader& r, ir::Value value, uint64_t lanes);

/// Whether the built-in variable is a mask of invocations, such as SubgroupEqMask: four words.
bool is_subgroup_mask(uint32_t built_in);
ir::Value subgroup_mask_value(Reader& r, uint32_t built_in, unsigned component);

/// Ballots, and what is asked of them (ballot.cpp).
bool translate_ballot(Reader& r, const Instruction& in);
bool translate_quad_vote(Reader& r, const Instruction& in);
/// Which invocations have the same value (partition.cpp).
bool translate_partition(Reader& r, const Instruction& in);
/// What one invocation reads of another (shuffle.cpp), and what all make of their values (scan.cpp).
bool translate_shuffle(Reader& r, const Instruction& in);
bool translate_quad(Reader& r, const Instruction& in);
bool translate_scan(Reader& r, const Instruction& in);

}  // namespace spalt::spirv
