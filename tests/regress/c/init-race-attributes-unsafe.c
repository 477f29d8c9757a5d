// expect: unsafe, must [options: --data-race-check] [judge: none]
// The library reads attributes that another thread writes.
#include <pthread.h>

pthread_attr_t attributes;

void *work(void *argument) {
  return 0;
}

void *change(void *argument) {
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_attr_init(&attributes);
  pthread_create(&first, 0, change, 0);
  
  pthread_create(&second, &attributes, work, 0);
  return 0;
}
