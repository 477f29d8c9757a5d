// Counters under a lock, a function that is called at two places, a name that is declared twice.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int pushed;
int level = 0;
unsigned char flag;
int unread;

static void raise_level(int by)
{
    level += by;
    level -= by - 1;
}

void *producer(void *arg)
{
    int i = 0;
    while (i < 3) {
        pthread_mutex_lock(&m);
        pushed++;
        raise_level(1);
        pthread_mutex_unlock(&m);
        unread = i;
        i++;
    }
    flag = 1;
    return 0;
}

void *consumer(void *arg)
{
    for (int k = 0; k < 2; k++) {
        int level = 7;
        pthread_mutex_lock(&m);
        if (pushed > 0) {
            level--;
            pushed--;
        }
        pthread_mutex_unlock(&m);
        assert(level >= 6);
    }
    raise_level(0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    assert(pushed >= 0);
    assert(flag == 1);
    return 0;
}
