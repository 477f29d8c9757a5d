// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// A parameter's address kept in a global.
static int *kept;
static void keep(int x) { kept = &x; }
int main(void) {
  keep(1);
  if (kept)
    *kept = 2;
  return 0;
}
