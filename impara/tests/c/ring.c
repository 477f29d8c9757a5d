// A ring with one producer and one consumer, both for ever: what is taken is what was put.
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#ifndef LEAST
#define LEAST 0
#endif

unsigned char cell[SIZE];
unsigned char count, head, tail;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *producer(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (count < SIZE) {
            cell[tail] = 7;
            tail = (tail + 1) % SIZE;
            count++;
        }
        pthread_mutex_unlock(&lock);
    }
}

void *consumer(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (count > LEAST) {
            assert(cell[head] == 7);
            head = (head + 1) % SIZE;
            count--;
        }
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&other, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
