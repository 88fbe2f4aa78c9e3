// `heddle audit PROGRAM`: which memory accesses of a program's machine code no hook announces.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "machine/audit.h"
#include "machine/text.h"
#include "report/symbolizer.h"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

struct Row {
  machine::Site site;
  std::string function, where, instruction;
};

class Namer {
 public:
  explicit Namer(const std::string& path) : symbolizer_({path}) {}

  SourceFrame frame(std::uint64_t address) {
    return symbolizer_.code(wire::make_address(wire::Region::Module, 0, address)).front();
  }

  static std::string where(const SourceFrame& frame) {
    if (frame.file.empty()) return frame.fallback;
    return fmt::format("{}:{}", frame.file, frame.line);
  }

 private:
  Symbolizer symbolizer_;
};

std::vector<Row> rows_of(const std::string& path, const machine::Audit& audit, Namer& namer) {
  std::vector<std::uint64_t> addresses;
  for (const machine::Site& site : audit.sites) addresses.push_back(site.address);
  const std::vector<std::string> texts = machine::instruction_texts(path, addresses);
  std::vector<Row> rows;
  for (std::size_t n = 0; n < audit.sites.size(); ++n) {
    const SourceFrame frame = namer.frame(addresses[n]);
    rows.push_back({audit.sites[n], frame.function, Namer::where(frame), texts[n]});
  }
  return rows;
}

json to_json(const machine::Audit& audit, const std::vector<Row>& rows, Namer& namer) {
  json sites = json::array(), gaps = json::array();
  for (const Row& row : rows)
    sites.push_back({{"address", row.site.address},
                     {"function", row.function},
                     {"where", row.where},
                     {"instruction", row.instruction},
                     {"instrumented", row.site.instrumented}});
  for (const machine::Gap& gap : audit.gaps)
    gaps.push_back({{"address", gap.address},
                    {"length", gap.length},
                    {"why", gap.why},
                    {"function", namer.frame(gap.address).function}});
  return json{{"accesses", audit.accesses},
              {"covered", audit.covered},
              {"private", audit.private_ones},
              {"sites", sites},
              {"gaps", gaps}};
}

std::string plural(std::uint64_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

void print(const std::string& path, const machine::Audit& audit, const std::vector<Row>& rows,
           Namer& namer) {
  fmt::print("{}: {}, {} announced, {} private or constant, {} uncovered\n", path,
             plural(audit.accesses, "access", "accesses"), audit.covered, audit.private_ones,
             rows.size());
  for (const Row& row : rows)
    fmt::print("  {:#x}  {}  {}\n      {}{}\n", row.site.address, row.function, row.where,
               row.instruction,
               row.site.instrumented ? "" : "   (no instrumentation in this function)");
  for (const machine::Gap& gap : audit.gaps) {
    const SourceFrame frame = namer.frame(gap.address);
    fmt::print("  {:#x}  {}  {}\n      {}: {}\n", gap.address, frame.function, Namer::where(frame),
               plural(gap.length, "byte", "bytes"), gap.why);
  }
}

Status run(const std::string& path, bool as_json) {
  Result<machine::Audit> audit = machine::audit_cached(path);
  if (!audit) return audit.error();
  Namer namer(path);
  const std::vector<Row> rows = rows_of(path, *audit, namer);
  if (as_json)
    fmt::print("{}\n", to_json(*audit, rows, namer).dump(2));
  else
    print(path, *audit, rows, namer);
  return Nothing{};
}

}  // namespace

int run_audit(int argc, char** argv) {
  std::string path;
  bool as_json = false;
  CLI::App app(
      "Lists the memory accesses of a program or library that no instrumentation announces.",
      "heddle audit");
  app.add_option("PROGRAM", path, "a linked program or shared library")->required();
  app.add_flag("--json", as_json, "print JSON instead of text");
  app.footer("Exit codes: 0 audited, 2 bad file or option.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    return print_error(
        {fmt::format("audit: {}", error.what()), "run `heddle audit --help` for its options"});
  }
  const Status done = run(path, as_json);
  return done ? 0 : print_error(done.error());
}

}  // namespace heddle
