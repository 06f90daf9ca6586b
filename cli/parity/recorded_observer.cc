#include "cli/parity/recorded_observer.h"

namespace qconform::parity {
namespace {

class RecordedObserver : public Observer {
 public:
  RecordedObserver(const Observer& observer, Qparams qparams)
      : Observer(observer), qparams_(std::move(qparams)) {}
  void Observe(const Tensor&) override {}
  Qparams CalculateQparams() const override { return qparams_; }
  OrderedMap<Tensor> Buffers() const override { return {}; }
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<RecordedObserver>(*this);
  }

 private:
  Qparams qparams_;
};

}  // namespace

std::shared_ptr<Observer> MakeRecordedObserver(const Observer& observer,
                                               Qparams qparams) {
  return std::make_shared<RecordedObserver>(observer, std::move(qparams));
}

bool IsRecordedObserver(const Observer& observer) {
  return dynamic_cast<const RecordedObserver*>(&observer) != nullptr;
}

}  // namespace qconform::parity
