// expect: safe, must [options: --memory-safety-check] [judge: sanitizers]
// A pointer to a local of a level of recursion that is entered again.


int *kept;
int visit(int depth) {
  int x = depth;
  int result = 0;
  if (depth == 0) {
    result = kept ? *kept : 0;
    kept = &x;
    kept = 0;
    return result;
  }
  return visit(depth - 1);
}

int main(void) {
  visit(1);
  return visit(1);
}
