// The body of a trace file as JSON, and back. Reading throws nlohmann exceptions or BadTrace; trace_file.cpp turns them into an Error.
#pragma once
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "replay/trace_file.h"

namespace heddle {

struct BadTrace : std::runtime_error {
  using std::runtime_error::runtime_error;
};

nlohmann::json body_to_json(const TraceFile& trace);
TraceFile body_from_json(const nlohmann::json& body);

}  // namespace heddle
