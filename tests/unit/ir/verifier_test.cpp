// SPDX-License-Identifier: MIT
// Faults that text cannot express. Everything else about the verifier is in tests/golden/ir/verify.
#include "ir/verifier.h"

#include <gtest/gtest.h>

#include "ir/parser.h"

namespace spalt::ir {
namespace {

/// b0 -> b1 (phi) -> return, with one instruction.
struct Sample {
  Module module;
  Function* f;
  BlockId b0, b1;
  Value add, phi;

  Sample() {
    Result<Module> parsed = parse(
        "func @f(%x: i32, %c: i1) {\n"
        "b0: merge b1\n  %0: i32 = iadd %x, 7\n  branch_if %c, b1, b2\n"
        "b2:\n  branch b1\n"
        "b1:\n  %1: i32 = phi [b0 %0], [b2 1]\n  ret\n}\n");
    module = std::move(*parsed);
    f = &module.functions[0];
    b0 = f->layout()[0];
    b1 = f->layout()[2];
    add = f->block(b0).first;
    phi = f->block(b1).first;
  }

  std::string message() const {
    const Result<void> verdict = verify(module);
    return verdict ? "valid" : verdict.error().message;
  }
};

#define EXPECT_FAULT(sample, text) EXPECT_NE((sample).message().find(text), std::string::npos) << (sample).message()

TEST(Verifier, AcceptsTheSample) {
  EXPECT_EQ(Sample().message(), "valid");
}

TEST(Verifier, EmptyLayout) {
  Sample s;
  s.f->edit_layout().clear();
  EXPECT_FAULT(s, "the function has no blocks");
}

TEST(Verifier, BlockTwiceInLayout) {
  Sample s;
  s.f->edit_layout().push_back(s.b0);
  EXPECT_FAULT(s, "twice in the layout");
}

TEST(Verifier, UnknownBlockInLayout) {
  Sample s;
  s.f->edit_layout().push_back(BlockId(77));
  EXPECT_FAULT(s, "a block that does not exist");
}

TEST(Verifier, TargetOutsideLayout) {
  Sample s;
  s.f->edit_layout().erase(s.f->layout().begin() + 1);
  EXPECT_FAULT(s, "a target is not in the layout");
}

TEST(Verifier, BrokenInstructionList) {
  Sample s;
  s.f->inst(s.add).next = s.add;  // a cycle
  EXPECT_FAULT(s, "the instruction list of the block is broken");
}

TEST(Verifier, WrongLastInstruction) {
  Sample s;
  s.f->edit_block(s.b0).last = s.add;
  EXPECT_FAULT(s, "does not know its last instruction");
}

TEST(Verifier, OperandOfNoFunction) {
  Sample s;
  s.f->set_operand(s.add, 0, Value(12345));
  EXPECT_FAULT(s, "operand 0 is not a value of this function");
}

TEST(Verifier, RemovedOperand) {
  Sample s;
  s.f->unlink(s.add);
  EXPECT_FAULT(s, "the operand was removed from the function");
}

TEST(Verifier, OperandWithoutResult) {
  Sample s;
  s.f->set_operand(s.phi, 1, s.f->terminator(s.b0));
  EXPECT_FAULT(s, "an instruction without result");
}

TEST(Verifier, ConstantInBlock) {
  Sample s;
  s.f->insert_before(s.add, s.f->constant_i32(99));
  EXPECT_FAULT(s, "something that belongs in no block");
}

TEST(Verifier, MissingPredecessor) {
  Sample s;
  s.f->edit_block(s.b1).preds.pop_back();
  EXPECT_FAULT(s, "a predecessor is missing");
}

TEST(Verifier, ExtraPredecessor) {
  Sample s;
  s.f->edit_block(s.b1).preds.push_back(s.b0);
  EXPECT_FAULT(s, "lists a predecessor that does not branch to it");
}

TEST(Verifier, PhiEntryCount) {
  Sample s;
  const Value one[] = {s.add};
  s.f->set_operands(s.phi, one);
  EXPECT_FAULT(s, "the phi has 1 entries but its block has 2 predecessors");
}

TEST(Verifier, TargetCount) {
  Sample s;
  s.f->inst(s.f->terminator(s.b0)).op = Op::branch;
  EXPECT_FAULT(s, "the terminator has 2 targets, expected 1");
}

TEST(Verifier, OperationThatTheFunctionDoesNotKnow) {
  Sample s;
  s.f->inst(s.add).op = Op::umul_hi;
  EXPECT_FAULT(s, "the function does not know that it has such an operation");
  s.f->set_operation(s.add, Op::umul_hi, kI32, 0, 0);
  EXPECT_TRUE(verify(s.module).ok());
}

TEST(Verifier, CasesWithoutSwitch) {
  Sample s;
  s.f->edit_block(s.b0).cases.push_back(1);
  EXPECT_FAULT(s, "case values but no switch_on");
}

TEST(Verifier, OperandCount) {
  Sample s;
  s.f->inst(s.add).operand_count = 1;
  EXPECT_FAULT(s, "iadd has 1 operands, expected 2");
}

TEST(Verifier, ParameterIndex) {
  Sample s;
  s.f->inst(s.f->params[1]).imm = 0;
  EXPECT_FAULT(s, "parameter 1 is not a param with that index");
}

TEST(Verifier, ForeignMergeBlock) {
  Sample s;
  s.f->edit_block(s.b0).merge = s.f->create_block();
  EXPECT_FAULT(s, "merge block or continue target is not in the layout");
}

TEST(Verifier, EmptyModule) {
  EXPECT_FALSE(verify(Module()).ok());
}

}  // namespace
}  // namespace spalt::ir
