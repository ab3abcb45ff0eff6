// SPDX-License-Identifier: MIT
// Functions with in, out and inout parameters, arrays and structures among them, called from loops and from each other.
#version 450
layout(local_size_x = 64) in;

struct Range {
  uint low;
  uint high;
};

layout(set = 0, binding = 0) buffer Data { uint data[]; };

uint global_calls = 0;

void swap(inout uint a, inout uint b) {
  uint t = a;
  a = b;
  b = t;
}

bool split(in Range whole, out Range left, out Range right) {
  ++global_calls;
  if (whole.high - whole.low < 2) {
    left = whole;
    right = Range(0u, 0u);
    return false;
  }
  uint middle = (whole.low + whole.high) / 2;
  left = Range(whole.low, middle);
  right = Range(middle, whole.high);
  return true;
}

void insertion_sort(inout uint values[8]) {
  for (int i = 1; i < 8; ++i) {
    for (int j = i; j > 0 && values[j - 1] > values[j]; --j) swap(values[j - 1], values[j]);
  }
}

uint binary_search(const uint values[8], uint wanted) {
  Range range = Range(0u, 8u);
  Range left, right;
  while (split(range, left, right)) {
    if (values[right.low] <= wanted) range = right; else range = left;
  }
  return range.low;
}

void divide(uint a, uint b, out uint quotient, out uint remainder) {
  quotient = a / b;
  remainder = a - quotient * b;
}

uint digits(uint value) {
  uint sum = 0;
  while (value != 0) {
    uint digit;
    divide(value, 10u, value, digit);
    sum += digit;
  }
  return sum;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint values[8];
  for (uint k = 0; k < 8; ++k) values[k] = data[i * 8 + k];
  uint wanted = values[3];
  insertion_sort(values);
  uint place = binary_search(values, wanted);
  swap(values[place], values[7 - place]);
  for (uint k = 0; k < 7; ++k) data[i * 8 + k] = values[k] + digits(values[k + 1]);
  data[i * 8 + 7] = place * 1000 + global_calls;
}
