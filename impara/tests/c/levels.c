// A level that one thread raises a thousand times and the other one lowers where it can: no round of a loop is like another, unless one compares the level with the counter.
#include <assert.h>
#include <pthread.h>

#define ROUNDS 1000

int level;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *raise(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        assert(level < ROUNDS);
        level++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, raise, 0);
    while (1) {
        pthread_mutex_lock(&lock);
        if (level > 0)
            level--;
        pthread_mutex_unlock(&lock);
    }
}
