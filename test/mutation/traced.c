/* Marks which blocks of the extension were run, in the file that KATSU_BLOCKS names: a byte for each address. Linked to
 * the extension that bin/mutate measures the tests with, whose blocks call the function below. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char __ehdr_start __attribute__((visibility("hidden")));
static unsigned char *blocks;
static uintptr_t size;

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("KATSU_BLOCKS");
    int file = name ? open(name, O_RDWR) : -1;
    struct stat status;
    if (file < 0 || fstat(file, &status)) return;

    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) return;

    size = (uintptr_t)status.st_size;
    blocks = memory;
}

void __sanitizer_cov_trace_pc(void)
{
    uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&__ehdr_start;
    if (at < size) blocks[at] = 1;
}
