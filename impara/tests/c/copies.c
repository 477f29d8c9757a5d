// One thread writes unknown numbers into two arrays, the other one compares them. Each loop has a bound, and the numbers have none.
#include <assert.h>
#include <pthread.h>

#define SIZE 12
#ifndef LAST
#define LAST SIZE
#endif

extern int __VERIFIER_nondet_int(void);

int cell[SIZE], copy[SIZE];
int head, tail;
_Bool full;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *unused)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SIZE; i++) {
        int value = __VERIFIER_nondet_int();
        cell[tail] = value;
        tail++;
        if (i < LAST)
            copy[i] = value;
    }
    full = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_mutex_lock(&lock);
    if (full)
        for (int i = 0; i < SIZE; i++) {
            assert(cell[head] == copy[i]);
            head++;
        }
    pthread_mutex_unlock(&lock);
    return 0;
}
