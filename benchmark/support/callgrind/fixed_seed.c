/*
 * Preloaded where instructions are counted: random bytes are always the same, so that Ruby's Hashes have the same seed
 * and the same collisions in each run.
 */
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

ssize_t
getrandom(void *buffer, size_t length, unsigned int flags)
{
    (void)flags;
    memset(buffer, 0x2a, length);
    return (ssize_t)length;
}

int
getentropy(void *buffer, size_t length)
{
    memset(buffer, 0x2a, length);
    return 0;
}
