// expect: unsafe, must [options: --memory-safety-check] [judge: sanitizers]
// A struct with a pointer to a local is copied, and the pointer used when the function runs again.


struct box {
  int *p;
};

struct box kept;
int visit(int round) {
  int x = round;
  struct box box = {&x};
  int result = 0;
  if (round == 2) {
    result = *kept.p;
  }
  kept = box;
  return result;
}

int main(void) {
  visit(1);
  return visit(2);
}
