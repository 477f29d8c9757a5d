extern int counter;
void *work(void *unused);
int total(void);
