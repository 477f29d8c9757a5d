// EXPECT: safe
// C11 threads: a mutex, once, and results of joined threads.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static once_flag flag = ONCE_FLAG_INIT;
static int sum, starts;

static void start(void) {
  starts++;
}

static int add(void *argument) {
  int *number = argument;
  call_once(&flag, start);
  mtx_lock(&mutex);
  sum = sum + *number;
  mtx_unlock(&mutex);
  return *number;
}

int main(void) {
  static int numbers[2] = {3, 4};
  thrd_t first, second;
  int result;
  if (mtx_init(&mutex, mtx_plain) != thrd_success)
    return 1;
  thrd_create(&first, add, &numbers[0]);
  thrd_create(&second, add, &numbers[1]);
  thrd_join(first, &result);
  assert(result == 3);
  thrd_join(second, 0);
  assert(sum == 7 && starts == 1);
  return 0;
}
