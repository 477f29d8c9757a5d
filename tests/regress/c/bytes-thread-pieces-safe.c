// expect: safe, must [judge: none]
// A copy by memcpy is not one step; with a lock it is seen as a whole.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct s {
  int a, b;
};
static struct s shared, value = {1, 1};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *writer(void *arg) {
  pthread_mutex_lock(&m);
  memcpy(&shared, &value, sizeof shared);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  pthread_mutex_lock(&m);
  int a = shared.a, b = shared.b;
  pthread_mutex_unlock(&m);
  assert(a == b);
  return 0;
}
