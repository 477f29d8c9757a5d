// expect: safe, must [options: --memory-safety-check] [judge: none]
// A pointer to a variable of the body of a loop, from the round before.


int main(void) {
  int *p = 0;
  int result = 0;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      int x = 0;
      if (p) {
        result = *p;
      }
      p = &x;
      p = 0;
    }
  }
  return result;
}
