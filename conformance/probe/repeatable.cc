#include "conformance/probe/repeatable.h"

namespace qconform {

ProbeLine FindRepeatability(const OperatorCall& call, Questioner& questioner) {
  ProbeLine line{"repeatable", "same bits on a second call"};
  const auto change = questioner.Change(call);
  if (!change) {
    line.text = "not known: the call was not answered";
    line.known = false;
  } else if (!change->empty()) {
    line.text = "no: " + *change;
    line.known = false;
  } else if (questioner.shares_memory()) {
    line.text += ", misaligned, from two threads and beside another plan";
  }
  return line;
}

}  // namespace qconform
