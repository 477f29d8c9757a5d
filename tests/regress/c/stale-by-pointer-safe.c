// expect: safe, must [options: --memory-safety-check] [judge: sanitizers]
// A pointer to a local of a function that is called by pointer, twice.


int *kept;
int visit(int unused) {
  int x = 0;
  int result = kept ? *kept : 0;
  kept = &x;
  kept = 0;
  return result;
}

int (*table[])(int) = {visit, visit};
int main(void) {
  table[0](1);
  return table[1](1);
}
