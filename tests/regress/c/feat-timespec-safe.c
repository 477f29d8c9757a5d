// expect: safe, must
// Initial values of structs that our clocks define, too.
#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
  struct timespec pause = {1, 0}, other = {.tv_nsec = 5};
  struct timeval now = {2, 3};
  clock_t start = clock();
  (void)start;
  assert(pause.tv_sec == 1 && other.tv_sec == 0 && other.tv_nsec == 5 && now.tv_usec == 3);
  return 0;
}
