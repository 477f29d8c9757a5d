/* A run with its values, as the verifier has it: steps of a reduced program, not of the source. Exit status: 0 every step was possible, in order, and the
   failure was reached; 3 a step was not possible, or had another effect. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t token = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int now;

/* Waits for the turn of a step. */
static void begin(int step, int thread, const char *text) {
  pthread_mutex_lock(&token);
  while (now != step)
    pthread_cond_wait(&moved, &token);
  printf("%4d thread %d   %s\n", step + 1, thread, text);
}

static void end(void) {
  now++;
  pthread_cond_broadcast(&moved);
  pthread_mutex_unlock(&token);
}

/* The guard of a step, or that it had its effect. */
void __VERIFIER_assume(int condition) {
  if (!condition) {
    printf("step %d is not possible, or has another effect than in the run\nNOT REPRODUCED\n", now + 1);
    fflush(stdout);
    _Exit(3);
  }
}

static int run(void *(*const functions[])(void *), int threads, int steps, const char *failure) {
  pthread_t handles[threads];
  for (int i = 0; i < threads; i++)
    if (pthread_create(&handles[i], 0, functions[i], 0) != 0)
      return 2;
  for (int i = 0; i < threads; i++)
    pthread_join(handles[i], 0);
  if (now != steps)
    return 3;
  printf("reached in the model: %s\nREPRODUCED\n", failure);
  return 0;
}

