// What a peer declares.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_PEER_CALL_PEER_CONFIG_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_PEER_CALL_PEER_CONFIG_H_

#include <string>
#include <vector>

namespace qconform {

// JSON with torch's keys: convolutions and linear layers of u8 or s8 codes by s8 weights,
// with a ReLU behind them or not. `mixed`: u8 in and s8 out and the other way too.
std::string PeerConfig(const std::string& name, bool mixed);

// What a row takes, as torch names it: "qint8".
struct PeerTypes {
  std::string input, output, bias;
};

// The same of these modules of torch.nn.
std::string PeerConfig(const std::string& name, const std::vector<std::string>& modules,
                       const std::vector<PeerTypes>& types);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_PEER_CALL_PEER_CONFIG_H_
