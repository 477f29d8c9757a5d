// expect: safe, must [judge: none]
// Two clients wait for a server with their requests on their stacks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct req { int in; int out; atomic_int done; };
static _Atomic(struct req *) slot;
static void *client(void *arg) {
  struct req r;
  r.in = (int)(long)arg; r.out = 0; atomic_init(&r.done, 0);
  struct req *none = NULL;
  while (!atomic_compare_exchange_strong(&slot, &none, &r)) none = NULL;
  while (!atomic_load(&r.done)) ;
  assert(r.out == r.in + 1);
  return 0;
}
static void *server(void *u) {
  for (int n = 0; n < 2; n++) {
    struct req *r;
    while (!(r = atomic_load(&slot))) ;
    r->out = r->in + 1;
    atomic_store(&slot, NULL);
    atomic_store(&r->done, 1);
  }
  return 0;
}
int main(void) {
  pthread_t a, b, s;
  pthread_create(&a, 0, client, (void *)1);
  pthread_create(&b, 0, client, (void *)2);
  pthread_create(&s, 0, server, 0);
  pthread_join(a, 0); pthread_join(b, 0); pthread_join(s, 0);
  return 0;
}
