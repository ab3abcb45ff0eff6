// SPDX-License-Identifier: MIT
// Which invocations run together under MaximallyReconvergesKHR, and in quads: the statements of the shader, walked by
// all invocations of a group at once, with the set of those that a statement is for.
#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

constexpr uint32_t kLanes = 16;

/// What structured statements do to the set of invocations that are at one place.
class Walk {
 public:
  explicit Walk(const uint32_t* words) : words_(words) {}

  const uint32_t* noted() const { return noted_; }
  bool bit(uint32_t lane, uint32_t i) const { return (words_[lane] >> (i & 31) & 1) != 0; }
  uint32_t word(uint32_t lane) const { return words_[lane]; }

  void note(uint32_t what) {
    each([&](uint32_t lane) { noted_[lane] = noted_[lane] * 1664525u + active_ * 31u + what; });
  }
  void note(const uint32_t (&what)[kLanes]) {
    each([&](uint32_t lane) { noted_[lane] = noted_[lane] * 1664525u + active_ * 31u + what[lane]; });
  }
  void add(uint32_t what) {
    each([&](uint32_t lane) { noted_[lane] += what; });
  }
  template <typename F>
  void each(F&& f) const {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((active_ >> lane & 1) != 0) f(lane);
    }
  }

  template <typename Condition, typename Then, typename Else>
  void choose(Condition&& condition, Then&& then, Else&& otherwise) {
    const uint32_t yes = those(condition), no = active_ & ~yes;
    active_ = yes;
    if (active_ != 0) then();
    const uint32_t after = active_;
    active_ = no;
    if (active_ != 0) otherwise();
    active_ |= after;
  }
  template <typename Condition, typename Then>
  void when(Condition&& condition, Then&& then) {
    choose(condition, then, [] {});
  }
  /// Until nobody is in the loop: `body` says itself when to leave.
  template <typename Body>
  void loop(Body&& body) {
    const uint32_t broken = broken_, continued = continued_;
    broken_ = continued_ = 0;
    while (active_ != 0) {
      body();
      active_ |= continued_;
      continued_ = 0;
    }
    active_ = broken_;
    broken_ = broken;
    continued_ = continued;
  }
  void leave() { move_to(broken_); }
  void go_on() { move_to(continued_); }
  template <typename Body>
  void call(Body&& body) {
    const uint32_t returned = returned_;
    returned_ = 0;
    body();
    active_ |= returned_;
    returned_ = returned;
  }
  void give_back() { move_to(returned_); }

 private:
  template <typename Condition>
  uint32_t those(Condition&& condition) const {
    uint32_t set = 0;
    each([&](uint32_t lane) { set |= condition(lane) ? 1u << lane : 0; });
    return set;
  }
  void move_to(uint32_t& set) {
    set |= active_;
    active_ = 0;
  }

  const uint32_t* words_;
  uint32_t noted_[kLanes] = {};
  uint32_t active_ = 0xffff, broken_ = 0, continued_ = 0, returned_ = 0;
};

void turns(Walk& w) {
  uint32_t i = 0;
  w.loop([&] {
    if (i >= 9) return w.leave();
    w.note(1);
    w.when([&](uint32_t l) { return w.bit(l, i) && w.bit(l, i + 3); },
           [&] {
             w.note(2);
             w.leave();
           });
    w.choose([&](uint32_t l) { return w.bit(l, i + 1); },
             [&] {
               w.note(3);
               w.when([&](uint32_t l) { return w.bit(l, i + 7); }, [&] { w.go_on(); });
               w.note(4);
             },
             [&] { w.note(5); });
    w.note(6);
    ++i;
  });
  w.note(7);
}

void few_turns(Walk& w) {
  uint32_t i = 0;
  w.loop([&] {
    if (i >= 2) return w.leave();
    w.when([&](uint32_t l) { return w.bit(l, i + 12); },
           [&] {
             w.note(32);
             w.leave();
           });
    ++i;
  });
  w.note(33);
}

void equal_tails(Walk& w) {
  w.choose([&](uint32_t l) { return w.bit(l, 2); },
           [&] {
             w.add(3);
             w.note(8);
           },
           [&] {
             w.add(5);
             w.note(8);
           });
  w.note(9);
  for (unsigned i = 0; i < 2; ++i) w.when([&](uint32_t l) { return w.bit(l, 4); }, [&] { w.note(10); });
}

/// The loops of the invocations start at 0 or 1: each has a counter of its own.
void early(Walk& w, uint32_t (&found)[kLanes]) {
  uint32_t i[kLanes];
  w.each([&](uint32_t l) {
    i[l] = w.word(l) & 1;
    found[l] = 99;
  });
  w.call([&] {
    w.loop([&] {
      w.when([&](uint32_t l) { return i[l] >= 12; }, [&] { w.leave(); });
      w.when([&](uint32_t l) { return w.bit(l, i[l]); },
             [&] {
               w.note(11);
               w.when([&](uint32_t l) { return w.bit(l, i[l] + 5); },
                      [&] {
                        w.each([&](uint32_t l) { found[l] = i[l]; });
                        w.give_back();
                      });
               w.note(12);
             });
      w.note(13);
      w.each([&](uint32_t l) { ++i[l]; });
    });
  });
}

void choices(Walk& w) {
  uint32_t i = 0;
  w.loop([&] {
    if (i >= 5) return w.leave();
    bool stop[kLanes] = {};
    const auto choice = [&](uint32_t l) { return w.word(l) >> 3 * i & 7; };
    const auto is = [&](uint32_t what) { return [&choice, what](uint32_t l) { return choice(l) == what; }; };
    w.when([&](uint32_t l) { return choice(l) == 0 || choice(l) == 5; }, [&] { w.note(14); });
    w.when(is(1), [&] {
      w.note(15);
      w.each([&](uint32_t l) { stop[l] = w.bit(l, i + 20); });
    });
    w.when([&](uint32_t l) { return choice(l) == 2 && !w.bit(l, i + 9); }, [&] { w.note(16); });
    w.when([&](uint32_t l) { return choice(l) > 2 && choice(l) != 5; }, [&] { w.note(17); });
    w.note(18);
    w.when([&](uint32_t l) { return stop[l]; }, [&] { w.leave(); });
    w.note(19);
    ++i;
  });
  w.note(20);
}

void nested(Walk& w) {
  uint32_t i = 0;
  w.call([&] {
    w.loop([&] {
      w.when([&](uint32_t l) { return i > (w.word(l) & 3); }, [&] { w.leave(); });
      bool leaves[kLanes] = {};
      uint32_t j = 0;
      w.loop([&] {
        w.note(21);
        w.when([&](uint32_t l) { return w.bit(l, i + j + 11) && w.bit(l, j + 2); },
               [&] {
                 w.each([&](uint32_t l) { leaves[l] = true; });
                 w.note(22);
                 w.leave();
               });
        ++j;
        w.when([&](uint32_t l) { return j >= (w.word(l) >> 4 & 3); }, [&] { w.leave(); });
      });
      w.note(23);
      w.when([&](uint32_t l) { return leaves[l] && w.bit(l, i); }, [&] { w.give_back(); });
      w.note(24);
      ++i;
    });
    w.note(25);
  });
}

void flags(Walk& w) {
  bool flag[kLanes] = {};
  w.choose([&](uint32_t l) { return w.bit(l, 6); }, [&] { w.each([&](uint32_t l) { flag[l] = w.bit(l, 7); }); },
           [&] {
             w.each([&](uint32_t l) { flag[l] = w.bit(l, 8); });
             w.note(26);
           });
  w.choose([&](uint32_t l) { return flag[l]; }, [&] { w.note(27); }, [&] { w.note(28); });
  w.when([&](uint32_t l) { return (w.bit(l, 9) && w.bit(l, 10)) || flag[l]; }, [&] { w.note(29); });
  w.note(30);
}

void maximal_reconvergence(const Manifest&, BufferContents& b) {
  for (uint32_t first = 0; first < 512; first += kLanes) {
    Walk w(&u32(b, 0)[first]);
    turns(w);
    few_turns(w);
    equal_tails(w);
    uint32_t found[kLanes] = {};
    early(w, found);
    for (uint32_t& number : found) number += 31;
    w.note(found);
    choices(w);
    nested(w);
    w.note(40);
    flags(w);
    for (uint32_t lane = 0; lane < kLanes; ++lane) u32(b, 1)[first + lane] = w.noted()[lane];
  }
}

void quad_control(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 512; ++i) {
    const uint32_t* quad = &u32(b, 0)[i & ~3u];
    const uint32_t own = u32(b, 0)[i];
    uint32_t votes = 4;  // all are there
    /// The votes of those for which `runs` holds, among which the own invocation is.
    const auto vote = [&](auto runs, auto all_of, auto any_of, uint32_t first_bit) {
      bool all = true, any = false;
      for (uint32_t k = 0; k < 4; ++k) {
        if (!runs(quad[k])) continue;
        all &= all_of(quad[k]);
        any |= any_of(quad[k]);
      }
      votes |= (all ? first_bit : 0) | (any ? 2 * first_bit : 0);
    };
    vote([](uint32_t) { return true; }, [](uint32_t w) { return (w & 3) != 0; },
         [](uint32_t w) { return (w & 12) == 0; }, 1);
    if ((own & 16) != 0) {
      vote([](uint32_t w) { return (w & 16) != 0; }, [](uint32_t w) { return (w & 32) != 0; },
           [](uint32_t w) { return (w & 64) != 0; }, 16);
    }
    for (uint32_t turn = 0; turn < (own >> 8 & 7); ++turn) {
      vote([&](uint32_t w) { return turn < (w >> 8 & 7); }, [&](uint32_t w) { return (w >> (12 + turn) & 1) != 0; },
           [&](uint32_t w) { return (w >> (20 + turn) & 1) != 0; }, 64u << 2 * turn);
    }
    u32(b, 1)[i] = votes;
  }
}

constexpr Reference kReferences[] = {
    {"cf_maximal_reconvergence", maximal_reconvergence},
    {"quad_control", quad_control},
};

}  // namespace

std::span<const Reference> reconvergence_references() {
  return kReferences;
}

}  // namespace spalt::run
