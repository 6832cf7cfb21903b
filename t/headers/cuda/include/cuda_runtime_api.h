/* cuda_runtime_api.h - what AOTInductor's wrappers and torch's headers name of CUDA's runtime: see
 * cuda.h. */
#ifndef AOTIGEN_HEADERS_CUDA_RUNTIME_API_H
#define AOTIGEN_HEADERS_CUDA_RUNTIME_API_H

#include <stddef.h>

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef enum cudaError { cudaSuccess = 0, cudaErrorNotReady = 600 } cudaError_t;

#ifdef __cplusplus
extern "C" {
#endif

const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaFree(void *pointer);

#define cudaEventDisableTiming 2
#define cudaStreamNonBlocking 1
typedef enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0
} cudaStreamCaptureStatus;
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);

#ifdef __cplusplus
}
#endif

#endif
