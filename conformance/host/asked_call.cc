#include "conformance/host/asked_call.h"

#include <cstdio>
#include <cstring>

namespace qconform {
namespace {

// No heap: what a backend allocates is counted there.
char asked[kAskedBytes];
const PhaseSink* listener = nullptr;

}  // namespace

Asked::Asked(const std::string& what) {
  std::memcpy(before_, asked, sizeof before_);
  std::snprintf(asked, sizeof asked, "%s", what.c_str());
}

Asked::~Asked() { std::memcpy(asked, before_, sizeof asked); }

const char* Asked::Now() { return asked; }

PhaseListener::PhaseListener(const PhaseSink& sink) { listener = &sink; }

PhaseListener::~PhaseListener() { listener = nullptr; }

void BeginPhase(const char* name) {
  if (listener != nullptr) (*listener)(name);
}

}  // namespace qconform
