// Nobody reads what two threads print.
// EXPECT: verified
// OPTIONS: --executor=auto
// EXECUTIONS: optimal=1
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

static FILE* stream;

static void* put(void* text) {
  fputs(text, stream);
  return 0;
}

int main(void) {
  stream = fopen("printed.tmp", "w");
  both(put, "a", "b");
  fclose(stream);
  return 0;
}
