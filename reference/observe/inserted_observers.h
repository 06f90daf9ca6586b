// The observers that a graph has been given so far: who sees which value, and under which
// names each stands.
#ifndef QCONFORM_REFERENCE_OBSERVE_INSERTED_OBSERVERS_H_
#define QCONFORM_REFERENCE_OBSERVE_INSERTED_OBSERVERS_H_

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/observe/insert_observers.h"

namespace qconform {

class InsertedObservers {
 public:
  InsertedObservers(GraphModule& module, const InsertionInputs& inputs)
      : module_(module), inputs_(inputs) {}

  // A call of a new observer behind the value.
  Node* Insert(Node* value, const ObserverConstructor& constructor);

  // An observer of the same class and dtype that sees the value already. torch does
  // not compare the other settings; strict mode does.
  Node* Find(const Node* value, const ObserverConstructor& wanted);

  // torch lets the one name refer to another observer, and what shared the old one with
  // it no longer does; in strict mode it does.
  void Rebind(const std::string& name, const std::shared_ptr<Module>& shared);

  // Takes away all users of the node, which must be observers.
  void RemoveBehind(Node& node);

 private:
  struct Inserted {
    Node* node;
    const ObserverConstructor* constructor;
  };

  // One constructor makes all its observers alike: the arguments are read once.
  std::shared_ptr<Module> Make(const ObserverConstructor& constructor);

  GraphModule& module_;
  const InsertionInputs& inputs_;
  // The observers of a value, in order of insertion.
  std::unordered_map<const Node*, std::vector<Inserted>> observers_of_;
  // The names of each observer.
  std::unordered_map<const Module*, std::vector<std::string>> names_of_;
  std::unordered_map<const ObserverConstructor*, std::shared_ptr<Module>> first_;
  int next_index_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_INSERTED_OBSERVERS_H_
