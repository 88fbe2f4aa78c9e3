// Blocks that the C library allocates for the program are freed by the program.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *copy = strdup("a copy"), *part = strndup("a copy", 1), *text;
  assert(asprintf(&text, "%d items", 7) == 7);
  assert(strcmp(copy, "a copy") == 0 && strcmp(part, "a") == 0 && strcmp(text, "7 items") == 0);
  free(copy);
  free(part);
  free(text);
  return 0;
}
