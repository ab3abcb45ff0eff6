// SPDX-License-Identifier: MIT
#include "icd/wsi/shared_segment.h"

#include <sys/ipc.h>
#include <sys/shm.h>

#include <cstdint>

namespace spalt::icd {

SharedSegment::SharedSegment(size_t bytes) : id_(shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600)) {
  if (id_ < 0) return;
  void* place = shmat(id_, nullptr, 0);
  // Linux lets others attach a segment that is marked so, as long as somebody has it attached.
  shmctl(id_, IPC_RMID, nullptr);
  const auto failed = static_cast<std::intptr_t>(-1);
  if (reinterpret_cast<std::intptr_t>(place) != failed) data_ = static_cast<std::byte*>(place);
}

SharedSegment::~SharedSegment() {
  if (data_ != nullptr) shmdt(data_);
}

}  // namespace spalt::icd
