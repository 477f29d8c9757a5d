// expect: unsafe, must [judge: none]
// The block gives its local back; a thread that stops afterwards has nothing to give back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static int *_Atomic box;
static void *worker(void *value) {
  int mine = (int)(intptr_t)value;
  {
    int x = mine;
    box = &x;
    x++;
    x += mine == 2; assert(x == mine + 1);
  }
  pthread_exit(0);
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, (void *)(intptr_t)i);
  pthread_exit(0);
}
