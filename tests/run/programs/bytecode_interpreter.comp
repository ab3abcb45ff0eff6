// SPDX-License-Identifier: MIT
// A small stack machine: every invocation interprets the same program with its own argument, so that the big switch is
// uniform at first and diverges with the data.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Code { uint code[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Program { uint entry; uint fuel; };

const uint kHalt = 0, kPush = 1, kDup = 2, kSwap = 3, kDrop = 4, kAdd = 5, kSub = 6, kMul = 7, kAnd = 8, kShift = 9,
           kLoad = 10, kStore = 11, kJump = 12, kJumpIfZero = 13, kLess = 14, kXor = 15, kArgument = 16, kRem = 17;

void main() {
  uint stack[16];
  uint locals[4];
  for (uint i = 0; i < 16; ++i) stack[i] = 0;
  for (uint i = 0; i < 4; ++i) locals[i] = 0;
  uint top = 0;
  uint pc = entry;
  uint executed = 0;
  bool running = true;
  while (running && executed < fuel) {
    uint opcode = code[pc] & 255;
    uint operand = code[pc] >> 8;
    ++pc;
    ++executed;
    switch (opcode) {
      case kPush: stack[top++] = operand; break;
      case kArgument: stack[top++] = gl_GlobalInvocationID.x; break;
      case kDup: stack[top] = stack[top - 1]; ++top; break;
      case kSwap: {
        uint value = stack[top - 1];
        stack[top - 1] = stack[top - 2];
        stack[top - 2] = value;
        break;
      }
      case kDrop: --top; break;
      case kAdd: --top; stack[top - 1] += stack[top]; break;
      case kSub: --top; stack[top - 1] -= stack[top]; break;
      case kMul: --top; stack[top - 1] *= stack[top]; break;
      case kAnd: --top; stack[top - 1] &= stack[top]; break;
      case kXor: --top; stack[top - 1] ^= stack[top]; break;
      case kRem: --top; stack[top - 1] %= stack[top]; break;
      case kShift: stack[top - 1] >>= operand; break;
      case kLoad: stack[top++] = locals[operand]; break;
      case kStore: locals[operand] = stack[--top]; break;
      case kJumpIfZero:
        --top;
        if (stack[top] != 0) break;
        // fall through: the jump is taken
      case kJump: pc = operand; break;
      case kLess: --top; stack[top - 1] = stack[top - 1] < stack[top] ? 1 : 0; break;
      case kHalt: running = false; break;
      default: running = false; top = 0; break;
    }
  }
  uint index = gl_GlobalInvocationID.x * 2;
  results[index] = top > 0 ? stack[top - 1] : 0xdeadbeefu;
  results[index + 1] = executed;
}
