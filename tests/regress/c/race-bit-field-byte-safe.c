// expect: safe, must [options: --data-race-check] [judge: tsan]
// A bit-field of width 0 ends a memory location, also where it moves nothing.
#include <pthread.h>

struct { unsigned char a : 8; unsigned char : 0; unsigned char b : 8; } s;

void *first(void *unused) { s.a = 1; return 0; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, first, 0);
  s.b = 1;
  pthread_join(thread, 0);
  return 0;
}
