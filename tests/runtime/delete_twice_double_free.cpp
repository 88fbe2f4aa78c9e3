// Deleted twice.
// EXPECT: bug double-free
// LOCATION: HERE
int* volatile block;

int main() {
  block = new int(1);
  delete block;
  delete block;  // HERE
}
