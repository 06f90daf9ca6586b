// How the stages' time grows with the graph.
#ifndef QCONFORM_BENCH_PIPELINE_GROWTH_H_
#define QCONFORM_BENCH_PIPELINE_GROWTH_H_

namespace qconform::bench {

// Registers fuse, prepare, convert and explain on graphs of 1,000, 10,000 and 100,000
// nodes, with the growth that Google Benchmark fits to them.
void RegisterGrowth();

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PIPELINE_GROWTH_H_
