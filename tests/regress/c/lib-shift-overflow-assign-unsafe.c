// expect: unsafe, must [options: --signed-overflow-check]
// The same in an assignment, and for long.

int main(void) {
  long a = 3;
  a <<= 62;
  return a == 0;
}
