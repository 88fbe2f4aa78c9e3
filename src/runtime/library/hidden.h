// Objects that live inside the C library and that no access to the program's memory shows: the column
// `uses` and `changes` of functions.txt.
#pragma once
#include <stdint.h>

namespace heddle::rt::library {

enum class Hidden : uint8_t {
  BrokenDownTime,   // what localtime and gmtime return
  Converter,        // of iconv, by its handle
  Descriptor,       // by its number: the open file and its offset
  Directory,        // names in the file system
  DirectoryStream,  // by its DIR
  Environment,
  ErrorText,      // of strerror
  ExitFunctions,  // of atexit
  GroupDatabase,
  HashTable,  // of hcreate
  Loader,     // the list of loaded libraries
  Locale,
  Log,               // of openlog
  MessageCatalogue,  // of gettext
  Multibyte,         // the state of mbtowc and the like without a state of one's own
  NetworkDatabase,
  NumberBuffer,  // of ecvt
  Options,       // of getopt: optarg, optind
  Random,
  Random48,
  Scheduling,
  Signals,
  Signgam,       // of lgamma
  StaticBuffer,  // of functions that return one
  Stream,        // by its FILE
  TimeText,      // of asctime and ctime
  Timezone,
  Token,  // of strtok
  UserDatabase,
};

inline uint64_t instance_of(const void* p) { return reinterpret_cast<uint64_t>(p); }
inline uint64_t instance_of(int descriptor) { return (uint64_t)(unsigned)descriptor; }

// Called before the function is. What makes operations of these objects takes its place here.
inline void use_hidden(Hidden, uint64_t /*instance*/, bool /*changes*/, uint64_t /*pc*/) {}

}  // namespace heddle::rt::library
