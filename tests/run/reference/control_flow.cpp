// SPDX-License-Identifier: MIT
//
// The control-flow programs, written as the same statements in C++: here the C++ compiler is the judge.
#include "reference.h"

// Fall-through, switches with one label and conditions that are always true are the point of these programs.
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;
using uint = uint32_t;

struct IfNest {
  std::span<const uint> inputs;
  std::span<uint> results;

  void run(uint i) {
    uint x = inputs[i];
    uint r = 1;
    if ((x & 1) != 0) {
      r += 2;
      if ((x & 2) != 0) {
        if ((x & 4) != 0) {
          r *= 3;
        } else if ((x & 8) != 0) {
          r *= 5;
          if ((x & 16) == 0) {
          } else {
            r ^= 0x55;
          }
        } else {
          if ((x & 32) != 0) r -= 7;
        }
        r += 11;
      } else {
        if ((x & 64) != 0) {
          r = r * 13 + x;
          if ((x & 128) != 0) {
            r ^= 0xff00;
            if ((x & 256) != 0) r = ~r;
          }
        }
      }
      r += 17;
    } else if ((x & 512) != 0) {
      r = x > 1000 ? r + 19 : r + 23;
    }
    if (x == 77 || r == 77) r = 0;
    results[i] = r;
  }
};

struct Switch {
  std::span<const uint> inputs;
  std::span<uint> results;
  uint classify(uint x) {
    switch (x % 9) {
      case 0:
        return 100;
      case 1:
      case 2:
        return 200 + x;
      case 5:
        break;
      default:
        return 300;
      case 7:
        x += 3;  // fall through
      case 8:
        return 400 + x;
    }
    return 500;
  }

  void run(uint i) {
    uint x = inputs[i];
    uint r = 0;
    switch (x & 7) {
      case 0:
        r += 1;  // fall through
      case 1:
        r += 2;  // fall through
      case 2:
        r += 4;
        break;
      case 3:
        r += 8;
        break;
      case 5:
        r += 16;  // fall through
      default:
        r += 32;  // fall through
      case 6:
        r += 64;
        break;
    }
    switch (static_cast<int>(x >> 3) % 5 - 2) {
      case -2:
        r = r * 3 + 1;
        break;
      case 0:
        if ((x & 32) != 0) break;
        r += 1000;  // fall through
      case 1:
        r ^= 0xf0;
        break;
    }
    switch (x >> 5) {
      case 3u:
      case 9u:
      case 27u:
        switch (x & 3) {
          case 0:
            r += 10000;
            break;
          case 1:
            r += 20000;  // fall through
          default:
            r += 40000;
        }
        r ^= 1;
        break;
      case 0xffffu:
        r = 0;
        break;
    }
    switch (r & 1) {
      default:
        r += 5;
    }
    results[i] = r * 1000 + classify(x);
  }
};

struct SwitchInLoop {
  std::span<const uint> inputs;
  std::span<uint> results;

  void run(uint i) {
    uint x = inputs[i];
    uint r = 0;
    bool leave = false;
    for (uint n = 0; n < 24; ++n) {
      switch (x & 7) {
        case 0:
          r += n;
          x = x * 5 + 3;
          continue;
        case 1:
          x ^= n;  // fall through
        case 2:
          r ^= x;
          break;
        case 3:
          if ((x & 64) != 0) {
            results[i] = r ^ 0xabcd;
            return;
          }
          x >>= 1;
          continue;
        case 4:
          leave = (x & 256) != 0;
          break;
        case 5:
          for (uint k = 0; k < 3; ++k) {
            if (((x >> k) & 1) == 0) continue;
            if (k == 2) break;
            r += k + 1;
          }
          x += 7;
          break;
        default:
          if (n > 20) break;
          x = (x << 1) | (x >> 9 & 1);
          continue;
      }
      r = r * 3 + 1;
      if (leave) break;
      x = x * 1103515245u + 12345u;
      x = x >> 8;
    }
    results[i] = r + x;
  }
};

struct Multilevel {
  std::span<const uint> inputs;
  std::span<uint> results;
  uint first_pair(uint x) {
    for (uint a = 1; a < 12; ++a) {
      for (uint b = a; b < 12; ++b) {
        if (b == 11 && a > 8) break;
        for (uint c = 0; c < 4; ++c) {
          if (a * a + b * b + c == x) return a * 10000 + b * 100 + c;
          if (c == 2 && ((a ^ b) & 1) != 0) break;
        }
      }
    }
    return 0;
  }

  void run(uint i) {
    uint x = inputs[i] & 255;
    uint r = 0;
    bool done = false;
    for (uint a = 0; a < 8 && !done; ++a) {
      bool next_outer = false;
      for (uint b = 0; b < 8; ++b) {
        uint product = a * b + (x & 7);
        if (product == x) {
          done = true;
          break;
        }
        if (((product + x) & 15) == 15) {
          next_outer = true;
          break;
        }
        if ((product & 1) == 0) continue;
        r += product;
      }
      if (next_outer) continue;
      r = r * 2 + 1;
    }
    results[2 * i] = r;
    results[2 * i + 1] = first_pair(x);
  }
};

struct EarlyReturn {
  std::span<const uint> inputs;
  std::span<uint> results;
  uint search(uint key, uint& steps) {
    steps = 0;
    for (uint row = 0; row < 6; ++row) {
      if (row == (key & 7)) return row | 0x100;
      for (uint column = 0; column < 6; ++column) {
        ++steps;
        if (row * column == key % 31) {
          if ((key & 32) != 0) return row * 16 + column;
          steps += 100;
        }
        while (steps % 7 == 3) {
          steps += 2;
          if ((steps & 64) != 0) return 0x200;
        }
      }
    }
    return 0x300;
  }

  void run(uint i) {
    uint x = inputs[i];
    if (x % 11 == 0) {
      results[i] = 1;
      return;
    }
    uint steps;
    uint found = search(x, steps);
    if (found >= 0x200) {
      for (uint n = 0;; ++n) {
        if (n * n > x) {
          results[i] = n * 1000 + steps;
          return;
        }
        if (((x >> (n & 7)) & 5) == 5) return;
      }
    }
    results[i] = found * 1000 + steps;
  }
};

struct LoopExits {
  std::span<const uint> inputs;
  std::span<uint> results;

  void run(uint i) {
    uint x = inputs[i];
    uint a = 0;
    while (a < 40) {
      a += 3;
      if (((x + a) & 13) == 13) break;
      if ((a ^ x) % 7 == 2) {
        a += 100;
        break;
      }
      x += a;
    }
    uint b = 0;
    do {
      b += x & 3;
      if (b > 20) break;
      if ((b & 4) != 0) {
        b += 3;
        continue;
      }
      x = (x >> 1) | (x << 31);
      ++b;
    } while ((x & 0xf) != 6 && b < 50);
    uint c = x;
    for (;;) {
      if (c < 100) break;
      if (c % 3 == 0) {
        c /= 3;
        continue;
      }
      if (c % 5 == 4) {
        c -= 4;
        break;
      }
      c = c / 2 - 1;
    }
    uint d = 0;
    for (uint n = x & 31; n-- > 0 && d < 1000; d += n) {
      if (d % 10 == 9) n = n / 2;
    }
    do {
      d ^= 1;
    } while (false);
    while (true) {
      d += 7;
      if (d % 3 == 0) break;
    }
    results[4 * i] = a;
    results[4 * i + 1] = b;
    results[4 * i + 2] = c;
    results[4 * i + 3] = d;
  }
};

struct UnreachableMerge {
  std::span<const uint> inputs;
  std::span<uint> results;
  uint both_return(uint x) {
    if (x > 500) {
      return x * 2;
    } else {
      return x + 1;
    }
  }

  uint switch_returns(uint x) {
    switch (x & 3) {
      case 0:
        return 5;
      case 1:
        return x;
      case 2:
        return x ^ 9;
      default:
        return 77;
    }
  }

  uint loop_returns(uint x) {
    for (;;) {
      if ((x & 1) != 0) return x;
      x = (x >> 1) | 0x1000;
    }
  }

  void run(uint i) {
    uint x = inputs[i];
    results[i] = both_return(x) + switch_returns(x) * 10000 + (loop_returns(x) & 15) * 1000000;
    if ((x & 8) != 0) {
      return;
    } else {
      results[i] += 1;
      return;
    }
  }
};

struct DivergentLoops {
  std::span<const uint> inputs;
  std::span<uint> results;

  void run(uint i) {
    uint x = inputs[i];
    uint outer = x % 7;
    uint last = 0;
    uint sum = 0;
    uint previous = 1;
    uint current = 1;
    for (uint a = 0; a < outer; ++a) {
      uint inner = (x >> a) & 7;
      for (uint b = inner; b != 0; --b) {
        uint next = previous + current;  // values that swap places around the loop
        previous = current;
        current = next;
        last = a * 10 + b;
        if (((next + x) & 7) == 3) break;
      }
      sum += current ^ last;
      // A uniform loop inside of the divergent one.
      for (uint c = 0; c < 3; ++c) sum += c * (x & 1);
    }
    results[2 * i] = sum;
    results[2 * i + 1] = last * 65536 + (previous & 0xffff);
  }
};

struct DivergentReturn {
  std::span<const uint> inputs;
  std::span<uint> results;

  void run(uint i) {
    uint x = inputs[i];
    if ((x & 3) == 0) return;
    results[i] = x;
    uint sum = 0;
    for (uint n = 0; n < 10; ++n) {
      if (((x >> n) & 3) == 2) {
        results[i] = sum + 1000;
        if (n > 5) return;
      }
      sum += n * x;
      if (sum > 30000) {
        results[i] = n;
        return;
      }
    }
    if ((x & 16) != 0) {
      results[i] = 12345;
      return;
    }
    results[i] = sum;
  }
};

struct ShortCircuit {
  std::span<const uint> inputs;
  std::span<uint> results;
  uint calls = 0;

  bool probe(uint value, uint bit) {
    calls += bit + 1;
    return ((value >> bit) & 1) != 0;
  }

  void run(uint i) {
    uint x = inputs[i];
    uint r = 0;
    if (probe(x, 0) && probe(x, 1)) r |= 1;
    if (probe(x, 2) || probe(x, 3)) r |= 2;
    if ((probe(x, 4) && !probe(x, 5)) || (probe(x, 6) && (probe(x, 7) || probe(x, 0)))) r |= 4;
    bool odd = probe(x, 1) != probe(x, 2);
    r |= odd ? 8 : 0;
    uint n = 0;
    while (n < 6 && (probe(x, n) || probe(x, 7 - n))) ++n;
    r |= (probe(x, 3) ? (probe(x, 4) && probe(x, 5)) : (probe(x, 6) || probe(x, 7))) ? 16 : 0;
    uint divisor = x & 7;
    if (divisor != 0 && 100 / divisor > 20) r |= 32;
    for (uint k = 0; k < 8 && !(probe(x, k) && k > 3); ++k) r += 64;
    results[i] = r + n * 4096 + calls * 65536;
  }
};

struct NestedContinue {
  std::span<const uint> inputs;
  std::span<uint> results;

  void run(uint i) {
    uint x = inputs[i];
    uint r = x;
    for (uint a = 0; a < 5; r += a++) {
      if (((x >> a) & 1) != 0) {
        if ((r & 2) != 0) continue;
        r ^= 3;
      } else {
        for (uint b = 0; b < 4; ++b, r *= 3) {
          if (((r + b) & 3) == 1) continue;
          if (b == 3) break;
          switch ((x >> b) & 3) {
            case 1:
              continue;
            case 2:
              r += 5;
              break;
            case 3:
              if ((r & 8) != 0) continue;
              r += 9;
          }
          ++r;
        }
        if ((r & 16) != 0) continue;
      }
      r += 100;
    }
    results[i] = r;
  }
};

struct FlagLanes {
  std::span<const uint> inputs;
  std::span<uint> results;

  void run(uint i) {
    uint lane = i & 63;
    uint x = inputs[i];
    uint r = 0;
    if (lane == 0) r += 1;
    if (lane == 63) r += 2;
    if (lane == 31 || lane == 32) r += 4;
    if ((lane & 1) == 0) r += 8;
    if (lane > 1000) r += 16;
    if (lane < 1000) r += 32;
    if (x > 2000000) r += 64;    // no lane, but nobody can know
    if (x <= 2000000) r += 128;  // all lanes
    for (uint n = 0; n < lane % 33; ++n) {
      if (n + 1 == lane % 33) r += 256;
      if (n == lane) break;
    }
    uint value = 5;
    if (lane >= 32) {
      value = x;
      if (lane == 40) value = 9;
    }
    results[i] = r * 4096 + (value & 4095);
  }
};

template <typename Program>
void run_all(const Manifest& manifest, BufferContents& b) {
  const uint count = manifest.dispatches[0].groups[0] * 64;
  for (uint i = 0; i < count; ++i) {
    Program program{u32(b, 0), u32(b, 1)};
    program.run(i);
  }
}

/// Barriers: one step of the whole workgroup after the other.
void barriers(const Manifest& manifest, BufferContents& b) {
  const auto inputs = u32(b, 0);
  for (uint group = 0; group < manifest.dispatches[0].groups[0]; ++group) {
    uint row[64];
    uint next[64];
    for (uint lane = 0; lane < 64; ++lane) row[lane] = inputs[8 + group * 64 + lane];
    for (uint r = 0; r < inputs[group] % 6 + 1; ++r) {
      for (uint lane = 0; lane < 64; ++lane) {
        const uint neighbour = row[(lane + 1) & 63];
        uint mine = row[lane];
        if (((mine + r) & 1) != 0) {
          mine = mine * 3 + neighbour;
          for (uint k = mine & 3; k > 0; --k) mine ^= mine << 3;
        } else if ((neighbour & 2) != 0) {
          mine += 77;
        }
        next[lane] = mine;
      }
      for (uint lane = 0; lane < 64; ++lane) row[lane] = next[lane];
    }
    if (group % 2 == 0) {
      for (uint lane = 0; lane < 64; ++lane) next[lane] = row[lane] + row[63 - lane];
      for (uint lane = 0; lane < 64; ++lane) row[lane] = next[lane];
    }
    for (uint lane = 0; lane < 64; ++lane) u32(b, 1)[group * 64 + lane] = row[lane ^ 5];
  }
}

/// One lane of the programs with several breaks to one block.
void run_breaks(uint way, uint x, std::span<const uint> wide, std::span<uint> out) {
  uint v[9];
  for (uint k = 0; k < 9; ++k) v[k] = x * (2 * k + 3) ^ (x >> (k + 1));
  for (uint k : {1, 3, 4, 5, 7, 8}) out[k] = v[k];
  if ((way & 3) == 3) {
    const uint added[] = {v[3], v[4], v[8], v[2]};
    for (uint k = 0; k < 4; ++k) {
      const uint* row = &wide[k * 4];
      out[9 + k] = (row[3] + added[k]) ^ (row[2] + added[k]) ^ (row[1] + added[k]) * 3 ^ (row[0] + added[k]) * 5;
    }
    if ((way & 4) != 0) {
      out[0] = v[0] + v[2] + v[6];
      return;
    }
  }
  for (uint k : {0, 2, 6}) out[k] = v[k];
}

/// All lanes of a workgroup go one way.
void uniform_breaks(const Manifest& manifest, BufferContents& b) {
  for (uint i = 0; i < manifest.dispatches[0].groups[0] * 64; ++i) {
    run_breaks(u32(b, 0)[i / 64], u32(b, 0)[64 + i], u32(b, 1).subspan(i * 4), u32(b, 2).subspan(i * 32, 32));
  }
}

void divergent_breaks(const Manifest& manifest, BufferContents& b) {
  for (uint i = 0; i < manifest.dispatches[0].groups[0] * 64; ++i) {
    const uint x = u32(b, 0)[i];
    run_breaks(x >> 3, x, u32(b, 1).subspan(i * 4), u32(b, 2).subspan(i * 32, 32));
  }
}

constexpr Reference kReferences[] = {
    {"cf_if_nest", run_all<IfNest>},
    {"cf_switch", run_all<Switch>},
    {"cf_switch_in_loop", run_all<SwitchInLoop>},
    {"cf_multilevel", run_all<Multilevel>},
    {"cf_early_return", run_all<EarlyReturn>},
    {"cf_loop_exits", run_all<LoopExits>},
    {"cf_unreachable_merge", run_all<UnreachableMerge>},
    {"cf_divergent_loops", run_all<DivergentLoops>},
    {"cf_divergent_return", run_all<DivergentReturn>},
    {"cf_short_circuit", run_all<ShortCircuit>},
    {"cf_nested_continue", run_all<NestedContinue>},
    {"cf_flag_lanes", run_all<FlagLanes>},
    {"cf_barriers", barriers},
    {"cf_uniform_breaks", uniform_breaks},
    {"cf_divergent_breaks", divergent_breaks},
};

}  // namespace

std::span<const Reference> control_flow_references() {
  return kReferences;
}

}  // namespace spalt::run
