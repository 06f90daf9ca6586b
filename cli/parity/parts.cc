#include "cli/parity/parts.h"

#include <map>

namespace qconform::parity {

const std::vector<std::string>& PartNames() {
  static const auto* names = new std::vector<std::string>{
      "fx",        "fx_matrix",  "pt2e",     "match", "config_api",      "qconfig",
      "observers", "fake_quant", "numerics", "seeds", "backend_configs", "aliases"};
  return *names;
}

PartRunner FindPartRunner(const std::string& part) {
  static const auto* runners = new std::map<std::string, PartRunner>{
      {"fx", RunFxPart},
      {"fx_matrix", RunFxMatrixPart},
      {"pt2e", RunPt2ePart},
      {"match", RunMatchPart},
      {"config_api", RunConfigApiPart},
      {"qconfig", RunQConfigPart},
      {"backend_configs", RunBackendConfigsPart},
      {"aliases", RunAliasesPart},
      {"seeds", RunSeedsPart},
      {"observers", RunObserversPart},
      {"fake_quant", RunFakeQuantPart},
      {"numerics", RunNumericsPart},
  };
  const auto found = runners->find(part);
  return found == runners->end() ? nullptr : found->second;
}

}  // namespace qconform::parity
