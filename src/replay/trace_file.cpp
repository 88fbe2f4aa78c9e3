#include "replay/trace_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "model/views.h"
#include "replay/build_id.h"
#include "replay/trace_json.h"

namespace heddle {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "heddle-trace";
constexpr const char* kMakeAnother = "make a new one with heddle check";
constexpr int kMostNames = 10'000;

std::string checksum_of(json envelope) {
  envelope.erase("checksum");
  const std::string text = envelope.dump();
  return fmt::format("{:016x}", XXH64(text.data(), text.size(), 0));
}

Error damaged(const std::string& name, const char* how) {
  return Error{fmt::format("{} is damaged: {}", name, how), kMakeAnother};
}

std::string reason() { return std::strerror(errno); }

// --- writing -------------------------------------------------------------------------------------------------------

// A file that exists under a temporary name until it is put in place, and vanishes if it never is.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& beside) : path_(beside + ".XXXXXX"), fd_(mkstemp(path_.data())) {
    if (fd_ < 0) path_.clear();
  }
  ~TemporaryFile() {
    if (fd_ >= 0) close(fd_);
    if (!path_.empty()) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool fill(const std::string& text) {
    if (fd_ < 0) return false;
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t n = write(fd_, text.data() + done, text.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return false;
      done += static_cast<std::size_t>(n);
    }
    return fchmod(fd_, 0644) == 0 && fsync(fd_) == 0;
  }
  bool replace(const std::string& path) {
    if (rename(path_.c_str(), path.c_str()) != 0) return false;
    path_.clear();
    return true;
  }
  bool put_if_free(const std::string& path) { return link(path_.c_str(), path.c_str()) == 0; }

 private:
  std::string path_;
  int fd_;
};

Error cannot_write(const std::string& path) {
  return Error{fmt::format("cannot write {}: {}", path, reason()), "choose a writable directory with --trace-dir DIR"};
}

bool same_finding_of_same_program(const std::string& path, const TraceFile& trace) {
  Result<TraceFile> there = read_trace_file(path);
  return there && there->facts.program == trace.facts.program && there->finding.signature == trace.finding.signature;
}

// A source file compiled on the fly has a binary named after it and a hash, "account-a5f5a05afb2c01bc": users know the first part.
std::string without_hash(const std::string& name) {
  constexpr std::size_t kDigits = 16;
  if (name.size() <= kDigits + 1 || name[name.size() - kDigits - 1] != '-') return name;
  const bool is_hash = name.find_first_not_of("0123456789abcdef", name.size() - kDigits) == std::string::npos;
  return is_hash ? name.substr(0, name.size() - kDigits - 1) : name;
}

std::string file_name(const TraceFile& trace, int n) {
  std::string program = without_hash(std::filesystem::path(trace.facts.program).filename().string());
  for (char& c : program)
    if (c == '/' || std::iscntrl(static_cast<unsigned char>(c))) c = '_';
  return fmt::format("heddle-{}-{}-{}.trace", program, kind_name(trace.finding.kind), n);
}

// --- reading -------------------------------------------------------------------------------------------------------

Result<std::string> read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return Error{fmt::format("{} is a directory", path), "name a .trace file"};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf() || file.peek() == std::char_traits<char>::eof()))
    return Error{fmt::format("cannot read {}: {}", path, reason()), "name a trace file that heddle check has written"};
  return text.str();
}

Status check_versions(const json& envelope, const std::string& name) {
  const json version = envelope.value("version", json());
  const json wire_version = envelope.value("wire", json());
  if (version == kTraceFileVersion && wire_version == wire::kVersion) return Nothing{};
  return Error{fmt::format("{} was written by heddle {} (trace format {}, wire {}); this is heddle {} (trace format {}, wire {})", name,
                           envelope.value("heddle", "?"), version.dump(), wire_version.dump(), heddle_version(),
                           kTraceFileVersion, wire::kVersion),
               "replay it with that version, or make a new one with heddle check"};
}

// Every place in the code that a report of the trace names.
std::set<Address> code_places(const TraceFile& trace) {
  std::set<Address> places;
  for (const Event& event : trace.trace.events) places.insert(event.pc);
  for (const Pending& pending : trace.trace.pending) places.insert(pending.pc);
  for (const Stack& stack : trace.trace.stacks) places.insert(stack.frames.begin(), stack.frames.end());
  for (const Involved& involved : trace.finding.involved) places.insert(involved.stack.begin(), involved.stack.end());
  places.erase(0);
  return places;
}

bool is_anonymous_memory(Address address) {
  return wire::region_of(address) == wire::Region::Heap || wire::region_of(address) == wire::Region::Stack;
}

// "heap object B of thread 2": the n-th of its arena that the trace speaks of.
std::string lettered_name(Address address, int n) {
  std::string letter(1, static_cast<char>('A' + n % 26));
  if (n >= 26) letter += fmt::format("{}", n / 26);
  const auto thread = wire::index_of(address);
  return fmt::format("{} {} of {}", wire::region_of(address) == wire::Region::Heap ? "heap object" : "local", letter,
                     thread == 0 ? "main" : fmt::format("thread {}", thread));
}

std::set<Address> data_places(const TraceFile& trace) {
  std::set<Address> places;
  for (const Event& event : trace.trace.events) places.insert({event.object, second_object(event)});
  for (const Pending& pending : trace.trace.pending) places.insert({pending.object, second_object(pending)});
  for (const Involved& involved : trace.finding.involved) places.insert(involved.object);
  places.erase(0);
  return places;
}

}  // namespace

std::string heddle_version() { return HEDDLE_VERSION; }

bool is_environment_fact(const std::string& name) {
  static const std::set<std::string> names = {"LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "LD_PRELOAD", "GLIBC_TUNABLES"};
  if (names.contains(name)) return true;
  for (const char* prefix : {"LC_", "OMP_", "MALLOC_"})
    if (name.starts_with(prefix)) return true;
  return false;
}

std::map<std::string, std::string> environment_facts(char** environ) {
  std::map<std::string, std::string> facts;
  for (; environ && *environ; ++environ) {
    const std::string variable = *environ;
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos) continue;
    if (std::string name = variable.substr(0, equals); is_environment_fact(name)) facts[name] = variable.substr(equals + 1);
  }
  return facts;
}

void record_places(TraceFile& trace, Places& places) {
  for (Address pc : code_places(trace)) trace.places.frames[pc] = places.code(pc);
  // Offsets in stacks and heaps tell a reader nothing but which is which: letters do that in less room.
  std::map<Address, int> unnamed;  // of the same stack or arena
  for (Address address : data_places(trace)) {
    std::string& name = trace.places.names[address] = places.data(address);
    if (name != plain_data_name(address) || !is_anonymous_memory(address)) continue;
    const Address home = wire::make_address(wire::region_of(address), wire::index_of(address), 0);
    name = lettered_name(address, unnamed[home]++);
  }
}

std::string serialize(const TraceFile& trace) {
  json envelope = {{"format", kFormat},
                   {"version", kTraceFileVersion},
                   {"wire", wire::kVersion},
                   {"heddle", trace.heddle_version.empty() ? heddle_version() : trace.heddle_version},
                   {"body", body_to_json(trace)}};
  envelope["checksum"] = checksum_of(envelope);
  return envelope.dump() + "\n";
}

Result<TraceFile> parse_trace_file(const std::string& text, const std::string& name) {
  if (text.empty()) return Error{fmt::format("{} is empty", name), kMakeAnother};
  json envelope = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (envelope.is_discarded()) {
    if (text.find(kFormat) == std::string::npos)
      return Error{fmt::format("{} is not a Heddle trace file", name), "name a .trace file that heddle check has written"};
    return damaged(name, "it is truncated or was altered");
  }
  if (!envelope.is_object() || envelope.value("format", json()) != kFormat)
    return Error{fmt::format("{} is not a Heddle trace file", name), "name a .trace file that heddle check has written"};
  try {
    // Version before checksum: another version may compute it differently.
    if (Status versions = check_versions(envelope, name); !versions) return versions.error();
    if (envelope.value("checksum", json()) != checksum_of(envelope)) return damaged(name, "its checksum does not match");
    TraceFile trace = body_from_json(envelope.at("body"));
    trace.heddle_version = envelope.at("heddle");
    return trace;
  } catch (const json::exception&) {
    return damaged(name, "a field is missing or of the wrong type");
  } catch (const BadTrace& bad) {
    return damaged(name, bad.what());
  }
}

Status write_trace_file(const std::string& path, const TraceFile& trace) {
  TemporaryFile file(path);
  if (!file.fill(serialize(trace)) || !file.replace(path)) return cannot_write(path);
  return Nothing{};
}

Result<std::string> save_trace_file(const std::string& directory, const TraceFile& trace) {
  const std::filesystem::path folder = directory.empty() ? "." : directory;
  auto path_of = [&](int n) { return folder == "." ? file_name(trace, n) : (folder / file_name(trace, n)).string(); };
  TemporaryFile file(path_of(1));
  if (!file.fill(serialize(trace))) return cannot_write(path_of(1));
  for (int n = 1; n < kMostNames; ++n) {
    const std::string path = path_of(n);
    if (file.put_if_free(path)) return path;
    if (errno != EEXIST) return cannot_write(path);
    if (same_finding_of_same_program(path, trace)) {
      if (!file.replace(path)) return cannot_write(path);
      return path;
    }
  }
  return Error{fmt::format("{} already holds {} traces like {}", folder.string(), kMostNames - 1, path_of(1)),
               "remove old ones, or choose another directory with --trace-dir DIR"};
}

Result<TraceFile> read_trace_file(const std::string& path) {
  Result<std::string> text = read_text(path);
  if (!text) return text.error();
  return parse_trace_file(*text, path);
}

Status check_unchanged(const TraceFile& trace, const std::string& trace_path) {
  const RunFacts& facts = trace.facts;
  for (std::size_t i = 0; i < facts.modules.size(); ++i) {
    const ModuleFact& module = facts.modules[i];
    if (module.build_id.empty()) continue;
    Result<std::string> now = build_id(module.path);
    if (!now)
      return Error{fmt::format("{}, which {} was recorded with, is gone", module.path, trace_path),
                   "build it again, or render the recording with heddle report"};
    if (*now != module.build_id)
      return Error{fmt::format("{} has changed since {} was recorded (its build id differs)", module.path, trace_path),
                   "run heddle check again to see whether the bug is still there"};
  }
  if (facts.input_file.empty()) return Nothing{};
  Result<std::string> input = file_hash(facts.input_file);
  if (!input || *input != facts.input_hash)
    return Error{fmt::format("the input {} has changed since {} was recorded", facts.input_file, trace_path),
                 "put the old input back, or run heddle check again"};
  return Nothing{};
}

}  // namespace heddle
