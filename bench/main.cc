// The benchmark binary by itself; `qconform bench` is the same behind the one command.
#include <exception>
#include <iostream>

#include "bench/options.h"
#include "bench/peers/peers_command.h"
#include "conformance/host/plugin.h"
#include "reference/ir/error.h"

int main(int argc, char** argv) {
  using namespace qconform;
  CLI::App app{"qconform_bench: times a backend's layers and checks every output"};
  bench::SuiteOptions options;
  bench::DeclareOptions(app, options);
  bench::PeersOptions peers;
  bench::DeclarePeersOptions(app, peers);
  CLI11_PARSE(app, argc, argv);
  options.benchmark_flags = app.remaining();
  try {
    if (peers.asked) {
      peers.comparison.backend = options.backend;
      peers.json = options.json;
      return bench::RunPeers(peers);
    }
    std::cerr << bench::Announcement(options) << '\n';
    const bench::SuiteOutcome outcome = bench::RunSuite(options);
    std::cerr << bench::Summary(outcome) << '\n';
    return outcome.wrong > 0 ? 1 : outcome.layers == 0 ? 5 : 0;
  } catch (const BackendError& error) {
    std::cerr << "qconform_bench: " << error.what() << " (exit code 6)\n";
    return 6;
  } catch (const InputError& error) {
    std::cerr << "qconform_bench: " << error.what() << " (exit code 4)\n";
    return 4;
  } catch (const std::exception& error) {
    std::cerr << "qconform_bench: internal error: " << error.what() << " (exit code 3)\n";
    return 3;
  }
}
