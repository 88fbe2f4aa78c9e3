#include "cli/ranks.h"

#include "replay/build_id.h"

namespace heddle {
namespace {

constexpr int kLookMs = 50;
constexpr int kMostPartingMs = 5000;

}  // namespace

Status Ranks::welcome(const ProcessOptions& options) {
  Result<std::string> hash = file_hash(options.path);
  if (!hash) return hash.error();
  crew_.welcome(to_bytes(Welcome{options.path, *hash, environment_without_launcher()}));
  return Nothing{};
}

Status Ranks::gather(const ProcessOptions& options, const ProcessProgram& program, const Patience& patience) {
  const Muster ours = muster(words_, options, program);
  std::optional<std::pair<int, Error>> refused;  // the lowest rank's, so that the same trouble is told in the same way
  for (int missing = session_.size() - 1; missing > 0;) {
    if (patience.over()) return Error{"interrupted while the ranks were starting", "", ExitCode::Incomplete};
    const auto answer = crew_.receive_muster(kLookMs);
    if (!answer) continue;
    --missing;
    const std::optional<Muster> theirs = from_bytes<Muster>(answer->second);
    const Error garbled{"a rank's first message makes no sense", "are all ranks the same heddle?"};
    const std::optional<Error> error = theirs ? refuse(ours, answer->first, *theirs) : garbled;
    if (error && (!refused || answer->first < refused->first)) refused.emplace(answer->first, *error);
  }
  if (refused) return refused->second;
  return Nothing{};
}

void Ranks::leave(ExitCode code) {
  end();
  if (crew_.everyone_left(kMostPartingMs)) session_.finish();
  else session_.abort(code);
}

}  // namespace heddle
