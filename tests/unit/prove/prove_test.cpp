// SPDX-License-Identifier: MIT
// Wrong rewrites of each family are found, right ones are proved.
#include "prove/prove.h"

#include <gtest/gtest.h>

#include "ir/parser.h"

namespace spalt::prove {
namespace {

Proof compare(const std::string& before, const std::string& after) {
  Result<ir::Module> a = ir::parse(before), b = ir::parse(after);
  EXPECT_TRUE(a) << a.error().message;
  EXPECT_TRUE(b) << b.error().message;
  if (!a || !b) return {};
  return prove_function(*a, *b, 0, {20000});
}

std::string function(const std::string& signature, const std::string& body, const std::string& head = "") {
  return head + "func @f(" + signature + " {\nb0:\n" + body + "}\n";
}

struct Rewrite {
  const char *name, *signature, *before, *right, *wrong;
};

constexpr Rewrite kRewrites[] = {
    {"shift", "%x: i32, %y: i32) -> i32", "%a: i32 = ishl %x, %y\nret %a\n",
     "%m: i32 = iand %y, 31\n%a: i32 = ishl %x, %m\nret %a\n",
     "%m: i32 = iand %y, 63\n%a: i32 = ushr %x, %m\nret %a\n"},
    {"compare", "%x: i32, %y: i32) -> i1", "%a: i1 = slt %x, %y\nret %a\n",
     "%b: i1 = sle %y, %x\n%a: i1 = inot %b\nret %a\n", "%a: i1 = ult %x, %y\nret %a\n"},
    {"select", "%c: i1, %x: i32, %y: i32) -> i32", "%a: i32 = select %c, %x, %y\nret %a\n",
     "%n: i1 = inot %c\n%a: i32 = select %n, %y, %x\nret %a\n", "%a: i32 = select %c, %y, %x\nret %a\n"},
    {"division", "%x: i16) -> i16", "%a: i16 = sdiv %x, 4\nret %a\n",
     "%s: i16 = sshr %x, i16 15\n%b: i16 = iand %s, 3\n%c: i16 = iadd %x, %b\n%a: i16 = sshr %c, i16 2\nret %a\n",
     "%a: i16 = sshr %x, i16 2\nret %a\n"},
    {"division by zero", "%x: i32) -> i32", "%a: i32 = udiv %x, 0\nret %a\n", "ret -1\n",
     "%a: i32 = umod %x, 0\nret %a\n"},
    {"vector", "%x: i32, %y: i32) -> i32", "%v: i32x2 = vec %x, %y\n%a: i32 = extract %v, 1\nret %a\n", "ret %y\n",
     "ret %x\n"},
    {"undef", "%x: i32) -> i32", "%a: i32 = iand %x, undef\nret %a\n", "ret 0\n", "ret 1\n"},
    {"undef after it", "%x: i32) -> i32", "%a: i32 = iand %x, 7\nret %a\n", "%b: i32 = iand 7, %x\nret %b\n",
     "%a: i32 = iand %x, undef\nret %a\n"},
    {"float zero", "%x: f32) -> f32", "%a: f32 = fadd %x, -0.0 {precise}\nret %a\n", "ret %x\n",
     "%a: f32 = fadd %x, 0.0 {precise}\nret %a\n"},
    {"float order", "%x: f32, %y: f32, %z: f32) -> f32",
     "%a: f32 = fadd %x, %y {precise}\n%b: f32 = fmul %a, %z {precise}\nret %b\n",
     "%a: f32 = fadd %y, %x {precise}\n%b: f32 = fmul %z, %a {precise}\nret %b\n",
     "%a: f32 = fmul %x, %y {precise}\n%b: f32 = fmul %z, %a {precise}\nret %b\n"},
    {"float compare", "%x: f32, %y: f32) -> i1", "%a: i1 = folt %x, %y {precise}\n%b: i1 = inot %a\nret %b\n",
     "%a: i1 = fule %y, %x\nret %a\n", "%a: i1 = fole %y, %x\nret %a\n"},
    {"promise", "%x: i32) -> i1", "%a: i32 = iadd %x, 1 {no_signed_wrap}\n%b: i1 = slt %x, %a\nret %b\n", "ret true\n",
     "%a: i32 = iadd %x, 1 {no_unsigned_wrap}\n%b: i1 = slt %x, %a\nret %b\n"},
};

TEST(Prove, FindsWrongRewritesAndProvesRightOnes) {
  for (const Rewrite& r : kRewrites) {
    const std::string before = function(r.signature, r.before);
    const Proof right = compare(before, function(r.signature, r.right));
    EXPECT_EQ(right.verdict, Verdict::equal) << r.name << "\n" << right.text;
    const Proof wrong = compare(before, function(r.signature, r.wrong));
    EXPECT_EQ(wrong.verdict, Verdict::different) << r.name << "\n" << wrong.text;
  }
}

constexpr const char* kBuffers = "binding 0, 0, storage\nbinding 0, 1, storage\nshared_bytes 64\n";
constexpr const char* kAliased = "binding 0, 0, storage, aliased\nbinding 0, 1, storage, aliased\nshared_bytes 64\n";
constexpr const char* kAddresses = "%a: resource = resource 0, 0\n%b: resource = resource 1, 0\n";

Proof compare_memory(const char* head, const std::string& before, const std::string& after) {
  return compare(function(")", kAddresses + before + "ret\n", head), function(")", kAddresses + after + "ret\n", head));
}

TEST(Prove, KnowsTheOrderOfMemory) {
  const std::string load = "%v: i32 = load.storage %b, 0, align 4\n", store = "store.storage %a, 0, i32 7, align 4\n";
  const std::string use = "store.storage %a, 4, %v, align 4\n";
  EXPECT_EQ(compare_memory(kBuffers, load + store + use, store + load + use).verdict, Verdict::equal);
  EXPECT_EQ(compare_memory(kAliased, load + store + use, store + load + use).verdict, Verdict::different);
  const std::string other = "store.storage %a, 0, i32 8, align 4\n";
  EXPECT_EQ(compare_memory(kBuffers, store + other, other).verdict, Verdict::equal);
  EXPECT_EQ(compare_memory(kBuffers, store + other, other + store).verdict, Verdict::different);
  const std::string barrier = "memory_barrier buffer, scope device, order acq_rel\n";
  EXPECT_EQ(compare_memory(kBuffers, store + barrier + other, barrier + other).verdict, Verdict::different);
  const std::string again = "%w: i32 = load.storage %b, 0, align 4\n", use_again = "store.storage %a, 4, %w, align 4\n";
  EXPECT_EQ(compare_memory(kBuffers, load + again + use_again, load + use).verdict, Verdict::equal);
  EXPECT_EQ(compare_memory(kBuffers, load + barrier + again + use_again, load + barrier + use).verdict,
            Verdict::different);
}

TEST(Prove, KnowsTheOrderOfEffects) {
  const std::string one = "%v: i32 = atomic_add.storage %a, 0, i32 1, align 4, scope device, order relaxed\n";
  const std::string two = "%w: i32 = atomic_add.storage %b, 0, i32 2, align 4, scope device, order relaxed\n";
  EXPECT_EQ(compare_memory(kBuffers, one + two, one + two).verdict, Verdict::equal);
  EXPECT_EQ(compare_memory(kBuffers, one + two, two + one).verdict, Verdict::different);
  EXPECT_EQ(compare_memory(kBuffers, one + two, one).verdict, Verdict::different);
}

TEST(Prove, KnowsThatOtherLanesHaveOtherValues) {
  const auto vote = [](const char* condition) {
    return std::string("func @f(%x: i32) -> i1 {\nb0:\n%c: i1 = ieq %x, 5\n%v: i1 = any_lane ") + condition +
           "\n%r: i1 = iand %v, %c\nret %r\n}\n";
  };
  EXPECT_EQ(compare(vote("%c"), vote("%c")).verdict, Verdict::equal);
  // In a lane where x is 5 the condition is true, but not in the others.
  EXPECT_EQ(compare(vote("%c"), vote("true")).verdict, Verdict::different);
}

TEST(Prove, FollowsBranches) {
  const auto text = [](const char* then, const char* otherwise) {
    return std::string(
               "func @f(%c: i1, %x: i32) -> i32 {\nb0: merge b2\nbranch_if %c, b1, b2\nb1:\n%y: i32 = iadd %x, 1\n"
               "branch b2\nb2:\n%p: i32 = phi [b0 ") +
           otherwise + "], [b1 " + then + "]\nret %p\n}\n";
  };
  EXPECT_EQ(compare(text("%y", "%x"), text("%y", "%x")).verdict, Verdict::equal);
  EXPECT_EQ(compare(text("%y", "%x"), text("%x", "%x")).verdict, Verdict::different);
  const std::string selected =
      "func @f(%c: i1, %x: i32) -> i32 {\nb0:\n%z: i32 = zext %c\n%y: i32 = iadd %x, %z\nret %y\n}\n";
  EXPECT_EQ(compare(text("%y", "%x"), selected).verdict, Verdict::equal);
}

std::string loop(const char* start, const char* step, const char* more = "") {
  return std::string(
             "binding 0, 0, storage\nfunc @f(%n: i32) -> i32 {\nb0:\n%a: resource = resource 0, 0\nbranch b1\n"
             "b1: loop merge b3, continue b2\n%i: i32 = phi [b0 ") +
         start + "], [b2 %j]\n%c: i1 = ult %i, %n\nbranch_if %c, b2, b3\nb2:\n" + more + "%j: i32 = iadd " + step +
         "\nbranch b1\nb3:\nret %i\n}\n";
}

TEST(Prove, CutsLoops) {
  const std::string before = loop("3", "%i, 1");
  EXPECT_EQ(compare(before, loop("3", "1, %i")).verdict, Verdict::equal);
  EXPECT_EQ(compare(before, loop("2", "%i, 1")).verdict, Verdict::undecided);
  EXPECT_EQ(compare(before, loop("3", "%i, 2")).verdict, Verdict::undecided);
  const std::string stores = loop("3", "%i, 1", "store.storage %a, %i, %n, align 1\n");
  EXPECT_EQ(compare(stores, stores).verdict, Verdict::equal);
  EXPECT_EQ(compare(stores, loop("3", "%i, 1", "store.storage %a, %i, %i, align 1\n")).verdict, Verdict::undecided);
}

TEST(Prove, RefusesOtherLoops) {
  const Proof proof = compare(loop("0", "%i, 1"), "func @f(%n: i32) -> i32 {\nb0:\nret %n\n}\n");
  EXPECT_EQ(proof.verdict, Verdict::refused);
  EXPECT_EQ(proof.text, "it has other loops, or loops with other phis");
}

TEST(Prove, SaysWhatDiffers) {
  const Proof proof = compare(function("%x: i32) -> i32", "ret %x\n"), function("%x: i32) -> i32", "ret 7\n"));
  EXPECT_NE(proof.text.find("parameter 0 = "), std::string::npos) << proof.text;
  EXPECT_NE(proof.text.find("result differs: "), std::string::npos) << proof.text;
}

}  // namespace
}  // namespace spalt::prove
