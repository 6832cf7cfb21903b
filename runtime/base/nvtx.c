/* nvtx.c - see nvtx.h. The only place that includes NVTX's headers. */
#define _GNU_SOURCE
#include "base/nvtx.h"

#include <pthread.h>

#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtMem.h>

/* nvToolsExtMemCudaRt.h has this function, and needs CUDA's headers for others. */
#define NVTX_EXT_FN_RETURN return
#define NVTX_EXT_FN_RETURN_INVALID(type) return NVTX_NULLPTR;
NVTX_DECLSPEC nvtxMemPermissionsHandle_t NVTX_API
nvtxMemCudaGetProcessWidePermissions(nvtxDomainHandle_t domain);
NVTX_EXT_MEM_IMPL_FN_V1(nvtxMemPermissionsHandle_t, nvtxMemCudaGetProcessWidePermissions,
                        (nvtxDomainHandle_t domain), (domain))

static nvtxDomainHandle_t domain;

static void make_domain(void) { domain = nvtxDomainCreateA("aotigen"); }

static nvtxDomainHandle_t get_domain(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_domain);
  return domain;
}

void ag_nvtx_push(const char *text) {
  const nvtxEventAttributes_t attributes = {.version = NVTX_VERSION,
                                            .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                            .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                            .message.ascii = text};
  nvtxDomainRangePushEx(get_domain(), &attributes);
}

void ag_nvtx_pop(void) { nvtxDomainRangePop(get_domain()); }

void *ag_nvtx_heap(void *allocation, size_t bytes) {
  const nvtxMemVirtualRangeDesc_t range = {.size = bytes, .ptr = allocation};
  const nvtxMemHeapDesc_t heap = {.extCompatID = NVTX_EXT_COMPATID_MEM,
                                  .structSize = sizeof heap,
                                  .usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR,
                                  .type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS,
                                  .typeSpecificDescSize = sizeof range,
                                  .typeSpecificDesc = &range};
  return nvtxMemHeapRegister(get_domain(), &heap);
}

static void name_region(void *at, const char *name) {
  const nvtxMemRegionNameDesc_t region = {.regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER,
                                          .nameType = NVTX_MESSAGE_TYPE_ASCII,
                                          .region.pointer = at,
                                          .name.ascii = name};
  const nvtxMemRegionsNameBatch_t batch = {.extCompatID = NVTX_EXT_COMPATID_MEM,
                                           .structSize = sizeof batch,
                                           .regionCount = 1,
                                           .regionElementSize = sizeof region,
                                           .regionElements = &region};
  nvtxMemRegionsName(get_domain(), &batch);
}

void ag_nvtx_region(void *heap, void *at, size_t bytes, const char *name) {
  const nvtxMemVirtualRangeDesc_t range = {.size = bytes, .ptr = at};
  const nvtxMemRegionsRegisterBatch_t batch = {.extCompatID = NVTX_EXT_COMPATID_MEM,
                                               .structSize = sizeof batch,
                                               .regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS,
                                               .heap = heap,
                                               .regionCount = 1,
                                               .regionDescElementSize = sizeof range,
                                               .regionDescElements = &range};
  nvtxMemRegionsRegister(get_domain(), &batch);
  name_region(at, name);
}

void ag_nvtx_end_region(void *at) {
  const nvtxMemRegionRef_t region = {.pointer = at};
  const nvtxMemRegionsUnregisterBatch_t batch = {.extCompatID = NVTX_EXT_COMPATID_MEM,
                                                 .structSize = sizeof batch,
                                                 .refType = NVTX_MEM_REGION_REF_TYPE_POINTER,
                                                 .refCount = 1,
                                                 .refElementSize = sizeof region,
                                                 .refElements = &region};
  nvtxMemRegionsUnregister(get_domain(), &batch);
}

void ag_nvtx_set_read_only(void *at, bool read_only) {
  const nvtxMemPermissionsAssignRegionDesc_t region = {
      .flags = read_only ? NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ
                         : NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET,
      .regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER,
      .region.pointer = at};
  const nvtxMemPermissionsAssignBatch_t batch = {
      .extCompatID = NVTX_EXT_COMPATID_MEM,
      .structSize = sizeof batch,
      .permissions = nvtxMemCudaGetProcessWidePermissions(get_domain()),
      .regionCount = 1,
      .regionElementSize = sizeof region,
      .regionElements = &region};
  nvtxMemPermissionsAssign(get_domain(), &batch);
}
