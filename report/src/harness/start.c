
static void too_long(int signal) {
  (void)signal;
  static const char text[] = "nothing happened for a long time\nNOT REPRODUCED\n";
  if (write(1, text, sizeof text - 1)) {}
  _exit(5);
}

int main(int count, char **arguments) {
  struct sigaction action = {.sa_sigaction = faults, .sa_flags = SA_SIGINFO | SA_NODEFER};
  if (is_goal("pointer"))
    sigaction(SIGSEGV, &action, 0), sigaction(SIGBUS, &action, 0);
  read_symbols();
  signal(SIGALRM, too_long);
  alarm(PATIENCE);
  self = &threads[0];
  self->handle = pthread_self();
  self->position = next_item(0, 0);
  __real_pthread_mutex_lock(&token);
  turn();
  __real_pthread_mutex_unlock(&token);
  harness_start(count, arguments);
  end_of_process();
  __real_pthread_mutex_lock(&token);
  finish();
  stay();
}
