// SPDX-License-Identifier: MIT
//
// Subgroup operations where some of the lanes run: in selections and loops that lanes enter, leave and go on in as they
// like, nested in each other.
//
// The twin of such a region has no divergent control flow around its operations, since it has barriers: it walks
// through the whole region with all invocations, and knows of each whether it would be there (`active_`). Loops have as
// many turns for all. What is no subgroup operation is the same in both; in the twin it is in a branch that those take
// that are there. Who is there after a construct is as MaximallyReconvergesKHR says.
#include "generator.h"

namespace spalt::random_programs {
namespace {

constexpr unsigned kMostDepth = 3;
constexpr unsigned kStatementDepth = 4;  ///< of what is no subgroup operation
constexpr uint32_t kMostCost = 5000;
constexpr uint32_t kTurns = 4;  ///< of loops, at most
constexpr uint32_t kRegionWords = 3;

}  // namespace

/// The loop that is innermost.
struct FunctionGenerator::Region {
  Id exit = 0, next = 0;
  Id continued = 0;  ///< in the twin: whether the invocation waits at the continue target; 0 for none
};

void FunctionGenerator::add_region_words() {
  for (uint32_t i = 0; i < kRegionWords; ++i) {
    Variable variable{0, spv::StorageClassFunction, kUint};
    variable.id = f_.variable(s_.type(kUint), module_.constant_null(s_.type(kUint)));
    variables_.push_back(variable);
    region_words_.push_back(variable);
  }
}

/// What one form alone has. Draws nothing.
template <typename Body>
void FunctionGenerator::uncounted(Body&& body) {
  const size_t before = f_.instruction_count();
  body();
  counted_ += f_.instruction_count() - before;
}

/// By those that are at the place. What it puts into the pool is gone after it.
void FunctionGenerator::for_active(const std::function<void()>& body) {
  const size_t pool_size = pool_.size();
  const bool was_uniform = std::exchange(uniform_, false);
  const Id then = module_.new_id(), merge = module_.new_id();
  if (active_ != 0) {
    uncounted([&] {
      f_.statement(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
      f_.statement(spv::OpBranchConditional, {active_, then, merge});
      f_.label(then);
    });
  }
  body();
  if (active_ != 0) {
    uncounted([&] {
      f_.statement(spv::OpBranch, {merge});
      f_.label(merge);
    });
  }
  uniform_ = was_uniform;
  cut_pool(pool_size);
}

/// A value that those compute that are at the place.
Id FunctionGenerator::evaluated(Id type, const std::function<Id()>& compute) {
  if (!in_region_) return compute();
  const Id variable = f_.variable(type, module_.constant_null(type));
  for_active([&] {
    const Id value = compute();
    f_.statement(spv::OpStore, {variable, value});
  });
  return f_.value(spv::OpLoad, type, {variable});
}

Id FunctionGenerator::truth_op(spv::Op op, Id a, Id b) {
  return f_.value(op, s_.type(kBool), {a, b});
}

/// Those that are here but for those with the condition.
Id FunctionGenerator::active_without(Id condition) {
  const Id stays = f_.value(spv::OpLogicalNot, s_.type(kBool), {condition});
  return active_ == 0 ? stays : truth_op(spv::OpLogicalAnd, active_, stays);
}

void FunctionGenerator::divergent_region() {
  const size_t pool_size = pool_.size();
  const bool was_uniform = std::exchange(uniform_, false);
  in_region_ = true;
  frames_.push_back({});
  Region region;
  if (rng_.chance(60)) {
    divergent_if(region, 1);
  } else {
    divergent_loop(region, 1);
  }
  frames_.pop_back();
  in_region_ = false;
  uniform_ = was_uniform;
  cut_pool(pool_size);
  for (const Variable& variable : region_words_) {
    pool_.push_back({f_.value(spv::OpLoad, s_.type(kUint), {variable.id}), kUint, false});
  }
}

void FunctionGenerator::divergent_block(Region& region, unsigned depth) {
  for (uint32_t i = rng_.between(1, 3); i > 0; --i) {
    const uint32_t kind = rng_.below(100);
    if (kind < 20) {
      for_active([&] {
        bool reachable = true;
        statement(kStatementDepth, reachable);
      });
    } else if (kind < 35 && depth < kMostDepth) {
      divergent_if(region, depth + 1);
    } else if (kind < 45 && depth < kMostDepth) {
      divergent_loop(region, depth + 1);
    } else if (kind < 60 && region.exit != 0) {
      divergent_jump(region);
    } else if (cost_ < kMostCost) {
      group_operation();
    }
  }
}

void FunctionGenerator::divergent_if(Region& region, unsigned depth) {
  const bool is_twin = s_.form.subgroup_size != 0, has_else = rng_.chance(50);
  const Id chooser = operand_condition(2, false);
  const Id outer = active_;
  const Id then = module_.new_id(), otherwise = module_.new_id(), merge = module_.new_id();
  Id left_out = 0, after_then = 0;
  uncounted([&] {
    if (is_twin) {
      left_out = active_without(chooser);
      active_ = outer == 0 ? chooser : truth_op(spv::OpLogicalAnd, outer, chooser);
    } else {
      f_.statement(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
      f_.statement(spv::OpBranchConditional, {chooser, then, has_else ? otherwise : merge});
      f_.label(then);
    }
  });
  const size_t pool_size = pool_.size();
  divergent_block(region, depth);
  cut_pool(pool_size);
  if (has_else) {
    uncounted([&] {
      if (is_twin) {
        after_then = std::exchange(active_, left_out);
      } else {
        f_.statement(spv::OpBranch, {merge});
        f_.label(otherwise);
      }
    });
    divergent_block(region, depth);
    cut_pool(pool_size);
    left_out = active_;
  } else {
    after_then = active_;
  }
  uncounted([&] {
    if (is_twin) {
      // Without a loop to jump in, all that came are here again.
      active_ = region.exit == 0 ? outer : truth_op(spv::OpLogicalOr, after_then, left_out);
    } else {
      f_.statement(spv::OpBranch, {merge});
      f_.label(merge);
    }
  });
}

/// Out of the loop, or on to its next turn.
void FunctionGenerator::divergent_jump(Region& region) {
  const bool leaves = rng_.chance(60);
  const Id goes = operand_condition(2, false);
  uncounted([&] {
    if (s_.form.subgroup_size == 0) {
      const Id jump = module_.new_id(), stay = module_.new_id();
      f_.statement(spv::OpSelectionMerge, {stay, spv::SelectionControlMaskNone});
      f_.statement(spv::OpBranchConditional, {goes, jump, stay});
      f_.label(jump);
      f_.statement(spv::OpBranch, {leaves ? region.exit : region.next});
      f_.label(stay);
      return;
    }
    if (!leaves) {
      const Id here = active_ == 0 ? goes : truth_op(spv::OpLogicalAnd, active_, goes);
      region.continued = region.continued == 0 ? here : truth_op(spv::OpLogicalOr, region.continued, here);
    }
    active_ = active_without(goes);
  });
}

void FunctionGenerator::divergent_loop(Region&, unsigned depth) {
  const bool is_twin = s_.form.subgroup_size != 0;
  const bool tests_first = rng_.chance(60);
  const uint32_t turns = product_ >= kTurns * kTurns ? 2 : kTurns;
  const Id limit = operand_word(turns - 1, 1, false);
  const Id word = s_.type(kUint), truth = s_.type(kBool), outer = active_;
  const Id header = module_.new_id(), body = module_.new_id();
  Region loop;
  loop.exit = module_.new_id();
  loop.next = module_.new_id();
  FunctionBuilder::OpenPhi counter{}, running{};
  uncounted([&] {
    const Id before = f_.current_block();
    f_.statement(spv::OpBranch, {header});
    f_.label(header);
    counter = f_.open_phi(word, s_.uint_constant(0), before);
    if (is_twin) running = f_.open_phi(truth, outer == 0 ? module_.constant_bool(true) : outer, before);
    Id goes_on = 0;
    if (is_twin || tests_first) {
      goes_on = f_.value(spv::OpULessThan, truth, {counter.id, is_twin ? s_.uint_constant(turns) : limit});
    }
    f_.statement(spv::OpLoopMerge, {loop.exit, loop.next, spv::LoopControlMaskNone});
    if (goes_on != 0) {
      f_.statement(spv::OpBranchConditional, {goes_on, body, loop.exit});
    } else {
      f_.statement(spv::OpBranch, {body});
    }
    f_.label(body);
    if (is_twin) {
      active_ = running.id;
      if (tests_first) {
        const Id is_below = f_.value(spv::OpULessThan, truth, {counter.id, limit});
        active_ = truth_op(spv::OpLogicalAnd, active_, is_below);
      }
    }
  });
  const size_t pool_size = pool_.size();
  pool_.push_back({counter.id, kUint, false});
  const size_t header_pool = pool_.size();
  product_ *= turns;
  divergent_block(loop, depth);
  cut_pool(header_pool);
  uncounted([&] {
    f_.statement(spv::OpBranch, {loop.next});
    f_.label(loop.next);
    if (is_twin && loop.continued != 0) active_ = truth_op(spv::OpLogicalOr, active_, loop.continued);
  });
  if (rng_.chance(20) && cost_ < kMostCost) group_operation();
  cut_pool(pool_size);
  product_ /= turns;
  uncounted([&] {
    const Id next = word_op(spv::OpIAdd, counter.id, s_.uint_constant(1));
    Id goes_on = 0;
    if (!tests_first) goes_on = f_.value(spv::OpULessThan, truth, {next, limit});
    if (is_twin && goes_on != 0) active_ = truth_op(spv::OpLogicalAnd, active_, goes_on);
    const Id from = f_.current_block();
    f_.close_phi(counter, next, from);
    if (is_twin) f_.close_phi(running, active_, from);
    if (is_twin || goes_on == 0) {
      f_.statement(spv::OpBranch, {header});
    } else {
      f_.statement(spv::OpBranchConditional, {goes_on, header, loop.exit});
    }
    f_.label(loop.exit);
  });
  active_ = outer;
}

}  // namespace spalt::random_programs
