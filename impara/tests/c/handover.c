// One thread writes, sets a flag, and writes again only when the flag is down; the other one waits for the flag. For ever.
#include <assert.h>
#include <pthread.h>

#ifndef WAITS
#define WAITS 1
#endif

extern void __VERIFIER_assume(int);

int data;
_Bool ready;

void *writer(void *unused)
{
    int next = 1;
    while (1) {
        data = next;
        ready = 1;
        if (WAITS)
            __VERIFIER_assume(!ready);
        data = 0;
    }
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    while (1) {
        __VERIFIER_assume(ready);
        assert(data == 1);
        ready = 0;
    }
}
