// expect: unsafe, must
// A message in a buffer.
#include <assert.h>

struct message {
  unsigned char kind;
  unsigned short size;
};
static _Alignas(4) unsigned char buffer[16];
int main(void) {
  struct message *m = (struct message *)(buffer + 4);
  m->kind = 1;
  m->size = 0x0203;
  assert(buffer[4] == 1 && buffer[6] == 2);
  return 0;
}
