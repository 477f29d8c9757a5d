// expect: safe, must [options: --memory-safety-check] [judge: sanitizers]
// A pointer to a local is kept as a number, and used when the function runs again.


unsigned long kept;
int visit(int round) {
  int x = 0;
  int result = 0;
  if (round) {
    result = *(int *)kept;
  }
  kept = (unsigned long)&x;
  static int y;
  kept = (unsigned long)&y;
  return result;
}

int main(void) {
  visit(0);
  return visit(1);
}
