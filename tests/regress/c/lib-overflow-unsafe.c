// expect: unsafe, must [options: --signed-overflow-check]
int main(void) {
  int x = 2147483646;
  x += 2;
  return x == 5;
}
