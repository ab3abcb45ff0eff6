// SPDX-License-Identifier: MIT
#include "replay/archive.h"

#include <gtest/gtest.h>

#include "recorded.h"

namespace spalt_tool::replay {
namespace {

std::string text_of(const Archive& archive, Tag tag, uint64_t hash) {
  std::vector<uint8_t> payload;
  Problem problem;
  const Record* found = archive.find(tag, hash);
  if (found == nullptr) return "nothing";
  if (!archive.read(*found, payload, problem)) return problem.message;
  return {payload.begin(), payload.end()};
}

TEST(Archive, FindsRecordsByTagAndHash) {
  const Archive archive = open_archive(record(Tag::sampler, 9, "nine") + record(Tag::shader_module, 9, "module") +
                                       record(Tag::sampler, UINT64_MAX, "last") + record(Tag::sampler, 2, ""));
  EXPECT_EQ(archive.record_count(), 4u);
  EXPECT_TRUE(archive.warnings().empty());
  EXPECT_EQ(text_of(archive, Tag::sampler, 9), "nine");
  EXPECT_EQ(text_of(archive, Tag::shader_module, 9), "module");
  EXPECT_EQ(text_of(archive, Tag::sampler, UINT64_MAX), "last");
  EXPECT_EQ(text_of(archive, Tag::sampler, 2), "");
  EXPECT_EQ(text_of(archive, Tag::sampler, 3), "nothing");
  ASSERT_EQ(archive.records(Tag::sampler).size(), 3u);
  EXPECT_EQ(archive.records(Tag::sampler)[0].hash, 2u);
}

TEST(Archive, OfEqualRecordsTheFirstCounts) {
  const Archive archive = open_archive(record(Tag::sampler, 5, "first") + record(Tag::sampler, 5, "second"));
  EXPECT_EQ(archive.records(Tag::sampler).size(), 1u);
  EXPECT_EQ(text_of(archive, Tag::sampler, 5), "first");
}

TEST(Archive, KindsThatAreNotKnownAreCounted) {
  const Archive archive = open_archive(record(static_cast<Tag>(200), 5, "future") + record(Tag::sampler, 5, "known"));
  EXPECT_EQ(text_of(archive, Tag::sampler, 5), "known");
  ASSERT_EQ(archive.warnings().size(), 1u);
  EXPECT_EQ(archive.warnings()[0], "1 records of kinds that are not known are left out");
  EXPECT_FALSE(archive.damaged());
}

/// Every length of a file gives the records that are whole in it.
TEST(Archive, AnyCutLeavesTheWholeRecords) {
  const std::string first = record(Tag::sampler, 1, "payload of one"), second = record(Tag::sampler, 2, "of two");
  for (size_t size = 0; size <= first.size() + second.size(); ++size) {
    const Archive archive = open_archive((first + second).substr(0, size));
    EXPECT_EQ(archive.find(Tag::sampler, 1) != nullptr, size >= first.size()) << size;
    EXPECT_EQ(archive.find(Tag::sampler, 2) != nullptr, size == first.size() + second.size()) << size;
    const bool between = size == 0 || size == first.size() || size == first.size() + second.size();
    EXPECT_EQ(archive.warnings().empty(), between) << size;
    EXPECT_FALSE(archive.damaged());
  }
}

/// Headers lie across the borders of what is read at once, and far apart.
TEST(Archive, ReadsHeadersWhereverTheyAre) {
  std::string records;
  for (uint64_t hash = 1; hash <= 400; ++hash) {
    records += record(Tag::sampler, hash, std::string(hash % 7 == 0 ? 20000 : hash * 13 % 101, 'x'));
  }
  const Archive archive = open_archive(records);
  EXPECT_EQ(archive.record_count(), 400u);
  EXPECT_TRUE(archive.warnings().empty());
  for (uint64_t hash = 1; hash <= 400; ++hash) {
    EXPECT_EQ(text_of(archive, Tag::sampler, hash).size(), hash % 7 == 0 ? 20000 : hash * 13 % 101);
  }
}

TEST(Database, TheFirstArchiveThatHasAnObjectGivesIt) {
  Database database;
  database.add("a", open_archive(record(Tag::sampler, 1, "a")));
  database.add("b", open_archive(record(Tag::sampler, 1, "b") + record(Tag::sampler, 2, "bb")));
  std::vector<uint8_t> payload;
  Problem problem;
  ASSERT_TRUE(database.read(Tag::sampler, 1, payload, problem));
  EXPECT_EQ(payload, std::vector<uint8_t>{'a'});
  EXPECT_EQ(database.hashes(Tag::sampler), (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(database.size_of(Tag::sampler, 2), 2u);
  EXPECT_FALSE(database.read(Tag::sampler, 0xabc, payload, problem));
  EXPECT_EQ(problem.cause, Cause::missing);
  EXPECT_EQ(problem.message, "sampler 0000000000000abc is in none of the archives");
}

}  // namespace
}  // namespace spalt_tool::replay
