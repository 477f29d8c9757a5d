// expect: safe, must [options: --data-race-check] [judge: none]
// Bit-fields side by side are one memory location, but for one of width 0 between them (C11 3.14, note 2).
#include <pthread.h>

struct { unsigned a : 20; unsigned : 0; unsigned b : 20; } s;

void *first(void *unused) { s.a = 1; return 0; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, first, 0);
  s.b = 1;
  pthread_join(thread, 0);
  return 0;
}
