// A virtual call on a deleted object: reading its vptr is a use after free.
// EXPECT: bug use-after-free|crash
// LOCATION: HERE
struct Base {
  virtual ~Base() = default;
  virtual int value() const { return 1; }
};
struct Derived : Base {
  int value() const override { return 2; }
};
Base* volatile object;

int main() {
  object = new Derived;
  delete object;
  return object->value() == 3;  // HERE
}
