// expect: safe, must [options: --memory-safety-check] [judge: none]
// A parameter's address kept in a global.
static int *kept;
static void keep(int x) { kept = (int *)0; }
int main(void) {
  keep(1);
  if (kept)
    *kept = 2;
  return 0;
}
