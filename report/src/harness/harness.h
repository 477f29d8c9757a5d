/* What the schedule and the scheduler agree on. */
#ifndef HARNESS_H
#define HARNESS_H

enum harness_kind {
  HARNESS_START, /* the thread starts */
  HARNESS_READ,  /* it reads a variable, or memory from malloc if there is no object */
  HARNESS_WRITE, /* it writes one */
  HARNESS_BOTH,  /* one step that may read and write: an atomic operation, or a section in which nobody else moves */
  HARNESS_CALL,  /* it calls a function of the library, which takes effect here */
  HARNESS_AWAKE, /* a call that waits, such as pthread_cond_wait, goes on here */
  HARNESS_STUCK, /* it waits in a call of the library for ever */
  HARNESS_FAIL   /* it does what must not happen */
};

/* What one thread does next to what others can see. The list of these is the schedule. */
struct harness_item {
  int thread;
  enum harness_kind kind;
  const char *name; /* the variables, separated by spaces; or the function */
  int child;        /* of a call that creates a thread: its number, or -1 if it does nothing in this run */
  long result;      /* of a call: what it returns, where the clock or chance decides; of an access: whether it writes */
  const char *text; /* the source */
};

/* A value for a thread that asks for any value, in the order in which it asks. */
struct harness_input {
  int thread;
  unsigned long long value;
};

/* What goes wrong in the end. */
struct harness_goal {
  const char *property;
  const char *kind; /* assertion, error-function, bounds, ... */
  int thread;       /* who does it, or -1 */
  int line;         /* where, or 0 */
  int next_line;    /* of a label: the line of the statement behind it */
  const char *text;
};

/* Names of variables whose accesses take turns; where they are says the table of symbols. */
extern const char *const harness_objects[];
extern const struct harness_item harness_items[];
extern const struct harness_input harness_inputs[];
extern const struct harness_goal harness_goal;
/* Whether mtx_lock and its like are those of C11 and not of a kernel. */
extern const int harness_c11;
extern const int harness_object_count, harness_item_count, harness_input_count, harness_thread_count;
int harness_start(int count, char **arguments);

#endif
