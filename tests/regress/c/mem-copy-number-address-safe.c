// expect: safe
// A number that is cast to a pointer is where memcpy copies to.
#include <assert.h>
#include <stdint.h>
#include <string.h>

char to[8];
char from[4] = {1, 2, 3, 4};

int main(void)
{
    void *end = to + 8;
    unsigned long count = 4;
    memcpy((void *)((uintptr_t)end - count), from, count);
    assert(to[4] == 1 && to[7] == 4 && to[3] == 0);
    return 0;
}
