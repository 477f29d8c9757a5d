// expect: safe, must [options: --memory-safety-check] [judge: sanitizers]
// An array keeps a pointer to a local until the function runs again.


int *kept[2];
int visit(int round) {
  int x = 0;
  int result = 0;
  if (round) {
    result = *kept[0];
  }
  kept[round] = &x;
  static int y;
  kept[0] = &y;
  return result;
}

int main(void) {
  visit(0);
  return visit(1);
}
