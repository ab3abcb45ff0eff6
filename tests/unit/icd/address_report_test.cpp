// SPDX-License-Identifier: MIT
//
// Which object an address belongs to: in reports of faults and in messages of VK_EXT_device_address_binding_report.
#include "icd/resource/address_report.h"

#include "resource_fixture.h"

namespace spalt::icd::test {
namespace {

class AddressReportTest : public ResourceTest {
 protected:
  FaultReport report_about(uint64_t address, spalt_fault_kind kind = SPALT_FAULT_UNMAPPED) const {
    FaultReport report;
    report.text = "store";
    report.fault.kind = kind;
    report.fault.address = address;
    name_resource(driver_device(), report);
    return report;
  }
  void name(VkObjectType type, uint64_t handle, const char* text) const {
    const VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, type, handle,
                                             text};
    EXPECT_EQ(entry::SetDebugUtilsObjectNameEXT(device(), &info), VK_SUCCESS);
  }
};

TEST_F(AddressReportTest, NamesTheClosestObject) {
  VkDeviceMemory memory = this->memory(65536);
  const uint64_t base = from_handle<DeviceMemory>(memory).address();
  VkBuffer large = buffer(32768), small = buffer(256);
  ASSERT_EQ(entry::BindBufferMemory(device(), large, memory, 0), VK_SUCCESS);
  ASSERT_EQ(entry::BindBufferMemory(device(), small, memory, 1024), VK_SUCCESS);
  name(VK_OBJECT_TYPE_BUFFER, handle_value(small), "particles");

  FaultReport report = report_about(base + 1100);
  EXPECT_EQ(report.text, "store; the address is 76 bytes into buffer \"particles\" of 256 bytes");
  ASSERT_EQ(report.objects.size(), 1u);
  EXPECT_EQ(report.objects[0].handle, handle_value(small));
  EXPECT_EQ(report.objects[0].name, "particles");
  report = report_about(base + 65540);
  EXPECT_EQ(report.text, "store; the address is 4 bytes past the end of device memory of 65536 bytes");
  EXPECT_EQ(report.objects[0].type, VK_OBJECT_TYPE_DEVICE_MEMORY);
  EXPECT_EQ(report_about(base - 8).text, "store; the address is 8 bytes before buffer of 32768 bytes");
  EXPECT_EQ(report_about(base + (2 << 20)).text, "store") << "nothing is near";
  EXPECT_EQ(report_about(base, SPALT_FAULT_LDS_BOUNDS).text, "store") << "no address of memory";
}

TEST_F(AddressReportTest, ForgetsWhatIsDestroyed) {
  const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 4096, 0};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(entry::AllocateMemory(device(), &info, nullptr, &memory), VK_SUCCESS);
  const uint64_t address = from_handle<DeviceMemory>(memory).address();
  EXPECT_NE(report_about(address).text, "store");
  entry::FreeMemory(device(), memory, nullptr);
  EXPECT_EQ(report_about(address).text, "store");
}

struct Binding {
  VkDeviceAddressBindingTypeEXT type;
  uint64_t address, size, handle;
  bool operator==(const Binding&) const = default;
};

VKAPI_ATTR VkBool32 VKAPI_CALL keep(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* list) {
  const auto* binding = static_cast<const VkDeviceAddressBindingCallbackDataEXT*>(data->pNext);
  static_cast<std::vector<Binding>*>(list)->push_back(
      {binding->bindingType, binding->baseAddress, binding->size, data->pObjects[0].objectHandle});
  return VK_FALSE;
}

TEST(AddressBinding, IsReportedWhenAskedFor) {
  const TestInstance instance;
  std::vector<Binding> bindings;
  VkDebugUtilsMessengerCreateInfoEXT messenger_info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  messenger_info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
  messenger_info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT;
  messenger_info.pfnUserCallback = keep;
  messenger_info.pUserData = &bindings;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateDebugUtilsMessengerEXT(instance.handle(), &messenger_info, nullptr, &messenger), VK_SUCCESS);

  for (const VkBool32 wanted : {VK_TRUE, VK_FALSE}) {
    const VkPhysicalDeviceAddressBindingReportFeaturesEXT feature{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT, nullptr, wanted};
    DeviceOptions options;
    options.extensions = {VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME};
    options.features = &feature;
    VkDevice device = VK_NULL_HANDLE;
    ASSERT_EQ(create_device(instance.physical(), options, device), VK_SUCCESS);
    bindings.clear();
    const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 4096, 0};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    ASSERT_EQ(entry::AllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
    const uint64_t address = from_handle<DeviceMemory>(memory).address();
    const VkBufferCreateInfo buffer_info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, nullptr, 0, 100};
    VkBuffer buffer = VK_NULL_HANDLE, unbound = VK_NULL_HANDLE;
    ASSERT_EQ(entry::CreateBuffer(device, &buffer_info, nullptr, &buffer), VK_SUCCESS);
    ASSERT_EQ(entry::CreateBuffer(device, &buffer_info, nullptr, &unbound), VK_SUCCESS);
    ASSERT_EQ(entry::BindBufferMemory(device, buffer, memory, 64), VK_SUCCESS);
    entry::DestroyBuffer(device, unbound, nullptr);
    entry::DestroyBuffer(device, buffer, nullptr);
    entry::FreeMemory(device, memory, nullptr);
    entry::DestroyDevice(device, nullptr);
    constexpr auto kBind = VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, kUnbind = VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT;
    const std::vector<Binding> expected = {{kBind, address, 4096, handle_value(memory)},
                                           {kBind, address + 64, 100, handle_value(buffer)},
                                           {kUnbind, address + 64, 100, handle_value(buffer)},
                                           {kUnbind, address, 4096, handle_value(memory)}};
    EXPECT_TRUE(bindings == (wanted == VK_TRUE ? expected : std::vector<Binding>()));
  }
  entry::DestroyDebugUtilsMessengerEXT(instance.handle(), messenger, nullptr);
}

}  // namespace
}  // namespace spalt::icd::test
