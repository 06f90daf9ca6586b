// The dtype configs of an entry.
#ifndef QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_LIST_H_
#define QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_LIST_H_

#include <memory>
#include <utility>
#include <vector>

#include "reference/config/dtype_config.h"

namespace qconform {

// A vector that several entries may hold together: in torch, set_dtype_configs keeps
// the caller's list itself, so that add_dtype_config through one is seen by all. A copy
// is independent; only ShareWith makes two lists one.
class DTypeConfigList {
 public:
  DTypeConfigList() = default;
  DTypeConfigList(std::vector<DTypeConfig> configs)  // NOLINT
      : configs_(std::make_shared<std::vector<DTypeConfig>>(std::move(configs))) {}
  DTypeConfigList(std::initializer_list<DTypeConfig> configs)
      : DTypeConfigList(std::vector<DTypeConfig>(configs)) {}
  DTypeConfigList(const DTypeConfigList& other) : DTypeConfigList(*other.configs_) {}
  // Other lists that shared this one keep what they had.
  DTypeConfigList& operator=(const DTypeConfigList& other) {
    configs_ = std::make_shared<std::vector<DTypeConfig>>(*other.configs_);
    return *this;
  }

  // From here on both are one list, this one's content is gone.
  void ShareWith(DTypeConfigList& other) { configs_ = other.configs_; }

  operator const std::vector<DTypeConfig>&() const { return *configs_; }  // NOLINT
  auto begin() const { return configs_->cbegin(); }
  auto end() const { return configs_->cend(); }
  auto begin() { return configs_->begin(); }
  auto end() { return configs_->end(); }
  size_t size() const { return configs_->size(); }
  bool empty() const { return configs_->empty(); }
  const DTypeConfig& operator[](size_t i) const { return (*configs_)[i]; }
  DTypeConfig& operator[](size_t i) { return (*configs_)[i]; }
  const DTypeConfig& at(size_t i) const { return configs_->at(i); }
  DTypeConfig& at(size_t i) { return configs_->at(i); }
  const DTypeConfig& front() const { return configs_->front(); }
  const DTypeConfig& back() const { return configs_->back(); }
  DTypeConfig& back() { return configs_->back(); }
  void push_back(DTypeConfig config) { configs_->push_back(std::move(config)); }
  void clear() { configs_->clear(); }
  bool operator==(const DTypeConfigList& other) const {
    return *configs_ == *other.configs_;
  }

 private:
  std::shared_ptr<std::vector<DTypeConfig>> configs_ =
      std::make_shared<std::vector<DTypeConfig>>();
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_LIST_H_
