// SPDX-License-Identifier: MIT
//
// What the loader asks first: interface versions, and commands by name ("Driver interface to the Vulkan Loader" of the
// loader's documents).
#include <vulkan/vk_icd.h>

#include "sync_objects.h"

extern "C" {
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name);
VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version);
}

namespace spalt::icd::test {
namespace {

VkResult negotiate(uint32_t offered, uint32_t& answer) {
  answer = offered;
  return vk_icdNegotiateLoaderICDInterfaceVersion(&answer);
}

TEST(Interface, TheLowerVersionOfBothIsChosen) {
  uint32_t version = 0;
  EXPECT_EQ(negotiate(5, version), VK_SUCCESS);
  EXPECT_EQ(version, 5u);
  EXPECT_EQ(negotiate(7, version), VK_SUCCESS);
  EXPECT_EQ(version, 7u);
  EXPECT_EQ(negotiate(1000, version), VK_SUCCESS);
  EXPECT_EQ(version, 7u);
}

TEST(Interface, LoadersThatKnowVulkan10OnlyAreRefused) {
  uint32_t version = 0;
  EXPECT_EQ(negotiate(4, version), VK_ERROR_INCOMPATIBLE_DRIVER);
  EXPECT_EQ(negotiate(1, version), VK_ERROR_INCOMPATIBLE_DRIVER);
}

TEST(LookUp, WithoutAnInstanceThereAreGlobalCommandsOnly) {
  for (const char* name :
       {"vkCreateInstance", "vkEnumerateInstanceVersion", "vkEnumerateInstanceLayerProperties",
        "vkEnumerateInstanceExtensionProperties", "vkGetInstanceProcAddr", "vk_icdGetInstanceProcAddr",
        "vk_icdGetPhysicalDeviceProcAddr", "vk_icdNegotiateLoaderICDInterfaceVersion"}) {
    EXPECT_NE(vk_icdGetInstanceProcAddr(VK_NULL_HANDLE, name), nullptr) << name;
  }
  for (const char* name :
       {"vkDestroyInstance", "vkCreateDevice", "vkCreateFence", "vkGetDeviceProcAddr", "vkNone", ""}) {
    EXPECT_EQ(vk_icdGetInstanceProcAddr(VK_NULL_HANDLE, name), nullptr) << name;
  }
}

TEST(LookUp, AnInstanceKnowsItsCommandsAndThoseOfAnyDevice) {
  const TestInstance instance;
  for (const char* name :
       {"vkDestroyInstance", "vkCreateDevice", "vkCreateFence", "vkGetDeviceProcAddr", "vkGetPhysicalDeviceFeatures2",
        "vkCreateDebugUtilsMessengerEXT", "vkQueueSubmit", "vkCmdPushDescriptorSetKHR", "vkGetDeviceFaultInfoEXT"}) {
    EXPECT_NE(entry::GetInstanceProcAddr(instance.handle(), name), nullptr) << name;
  }
  EXPECT_EQ(entry::GetInstanceProcAddr(instance.handle(), "vkCreateXcbSurfaceKHR"), nullptr);
}

TEST(LookUp, CommandsOfInstanceExtensionsWantTheExtension) {
  const VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkInstance instance = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateInstance(&info, nullptr, &instance), VK_SUCCESS);
  EXPECT_EQ(entry::GetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"), nullptr);
  EXPECT_EQ(entry::GetInstanceProcAddr(instance, "vkGetPhysicalDeviceFeatures2KHR"), nullptr);
  EXPECT_NE(entry::GetInstanceProcAddr(instance, "vkGetPhysicalDeviceFeatures2"), nullptr);
  entry::DestroyInstance(instance, nullptr);
}

TEST(LookUp, CommandsOfDeviceExtensionsWantTheExtension) {
  const TestDevice plain;
  DeviceOptions options;
  options.extensions = {"VK_KHR_push_descriptor", "VK_KHR_timeline_semaphore", "VK_EXT_device_fault"};
  const TestDevice extended(options);
  for (const char* name : {"vkCmdPushDescriptorSetKHR", "vkWaitSemaphoresKHR", "vkGetDeviceFaultInfoEXT"}) {
    EXPECT_EQ(entry::GetDeviceProcAddr(plain.handle(), name), nullptr) << name;
    EXPECT_NE(entry::GetDeviceProcAddr(extended.handle(), name), nullptr) << name;
  }
  EXPECT_EQ(entry::GetDeviceProcAddr(extended.handle(), "vkWaitSemaphoresKHR"),
            entry::GetDeviceProcAddr(extended.handle(), "vkWaitSemaphores"));
}

TEST(LookUp, ADeviceKnowsCommandsOfDevicesOnly) {
  const TestDevice device;
  for (const char* name : {"vkCreateFence", "vkQueueSubmit", "vkCmdDispatch", "vkGetDeviceProcAddr", "vkDestroyDevice",
                           "vkSetDebugUtilsObjectNameEXT"}) {
    EXPECT_NE(entry::GetDeviceProcAddr(device.handle(), name), nullptr) << name;
  }
  for (const char* name : {"vkCreateInstance", "vkDestroyInstance", "vkCreateDevice", "vkGetPhysicalDeviceFeatures",
                           "vkEnumerateDeviceExtensionProperties", "vkNone", ""}) {
    EXPECT_EQ(entry::GetDeviceProcAddr(device.handle(), name), nullptr) << name;
  }
  EXPECT_EQ(entry::GetDeviceProcAddr(device.handle(), nullptr), nullptr);
}

/// So a loader tells commands of physical devices that it does not know from those of devices.
TEST(LookUp, PhysicalDeviceCommandsAreThoseWithAPhysicalDevice) {
  const TestInstance instance;
  for (const char* name : {"vkGetPhysicalDeviceFeatures", "vkCreateDevice", "vkEnumerateDeviceExtensionProperties",
                           "vkGetPhysicalDeviceToolPropertiesEXT"}) {
    EXPECT_NE(vk_icdGetPhysicalDeviceProcAddr(instance.handle(), name), nullptr) << name;
  }
  for (const char* name : {"vkDestroyInstance", "vkCreateInstance", "vkCreateFence", "vkQueueSubmit", "vkNone"}) {
    EXPECT_EQ(vk_icdGetPhysicalDeviceProcAddr(instance.handle(), name), nullptr) << name;
  }
}

}  // namespace
}  // namespace spalt::icd::test
