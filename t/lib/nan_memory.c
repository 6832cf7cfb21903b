/* nan_memory.c - preloaded, it has memory from posix_memalign() hold NaN of every floating-point
   dtype. */
#include <errno.h>
#include <malloc.h>
#include <string.h>

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *made = memalign(alignment, size);
    if (!made)
        return ENOMEM;
    memset(made, 0xff, size);
    *memory = made;
    return 0;
}
