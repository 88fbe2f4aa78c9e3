// realloc keeps the content, takes null, and shrinks.
// EXPECT: verified
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char* text = realloc(0, 6);
  strcpy(text, "hello");
  text = realloc(text, 100000);
  assert(strcmp(text, "hello") == 0);
  text[99999] = 1;
  text = realloc(text, 3);
  assert(memcmp(text, "hel", 3) == 0);
  free(text);
  return 0;
}
