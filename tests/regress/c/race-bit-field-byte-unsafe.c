// expect: unsafe, must [options: --data-race-check] [judge: none]
// Without a bit-field of width 0, two bytes that are bit-fields are one memory location.
#include <pthread.h>

struct { unsigned char a : 8; unsigned char b : 8; } s;

void *first(void *unused) { s.a = 1; return 0; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, first, 0);
  s.b = 1;
  pthread_join(thread, 0);
  return 0;
}
