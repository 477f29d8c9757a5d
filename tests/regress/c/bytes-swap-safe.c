// expect: safe, must [options: --memory-safety-check]
// Structs that begin with an array of bytes, by way of void *.
#include <assert.h>
#include <stddef.h>
static void swap(void *a, void *b, size_t n) {
  char *p = a, *q = b;
  while (n--) {
    char t = *p;
    *p++ = *q;
    *q++ = t;
  }
}
struct r { char name[4]; int v; };
int main(void) {
  struct r a = { "ab", 1 }, b = { "cd", 2 };
  swap(&a, &b, sizeof a);
  assert(a.v == 2 && b.v == 1 && a.name[0] == 'c');
  return 0;
}
