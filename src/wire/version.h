// The version of the wire format, for C++ and the assembler alike: it stands in the ELF note of every instrumented program.
#define HEDDLE_WIRE_VERSION 16
