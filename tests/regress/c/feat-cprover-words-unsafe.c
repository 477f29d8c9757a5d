// expect: unsafe, must [judge: none]
// Words that CBMC has beside those of C.
__CPROVER_thread_local int own = 1;
int done;

void other(void) {
  own = 2;
  done = 1;
}

int main(void) {
__CPROVER_ASYNC_1:
  other();
  __CPROVER_assume(done == 1);
  __CPROVER_bool kept = own == 2;
  __CPROVER_assert(kept, "own");
  return 0;
}
