// SPDX-License-Identifier: MIT
//
// Files are read with pread and not mapped: a mapped file that somebody truncates meanwhile ends the process.
#include "replay/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace spalt_tool::replay {
namespace {

class FileSource : public ByteSource {
 public:
  FileSource(int file, uint64_t size) : file_(file), size_(size) {}
  ~FileSource() override { ::close(file_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  uint64_t size() const override { return size_; }
  bool read(uint64_t offset, void* out, size_t count) const override;

 private:
  int file_;
  uint64_t size_;
};

bool FileSource::read(uint64_t offset, void* out, size_t count) const {
  auto* to = static_cast<char*>(out);
  while (count > 0) {
    const ssize_t got = ::pread(file_, to, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    offset += static_cast<uint64_t>(got);
    count -= static_cast<size_t>(got);
  }
  return true;
}

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}
  uint64_t size() const override { return bytes_.size(); }
  bool read(uint64_t offset, void* out, size_t count) const override {
    if (offset > bytes_.size() || count > bytes_.size() - offset) return false;
    if (count > 0) std::memcpy(out, bytes_.data() + offset, count);
    return true;
  }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path, std::string& error) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status {};
  if (file < 0 || ::fstat(file, &status) != 0) {
    error = std::string("cannot be read: ") + std::strerror(errno);
    if (file >= 0) ::close(file);
    return nullptr;
  }
  if (!S_ISREG(status.st_mode)) {
    error = "is no regular file";
    ::close(file);
    return nullptr;
  }
  return std::make_unique<FileSource>(file, static_cast<uint64_t>(status.st_size));
}

std::unique_ptr<ByteSource> in_memory(std::vector<uint8_t> bytes) {
  return std::make_unique<MemorySource>(std::move(bytes));
}

}  // namespace spalt_tool::replay
