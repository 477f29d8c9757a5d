// expect: unsafe [options: --signed-overflow-check] [judge: none]
// 1 << 31 does not fit.
int main(void) {
  int n = 31;
  int x = 1;
  for (int i = 0; i < n; i++)
    x *= 2;
  return x == 5;
}
