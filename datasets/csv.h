// The one way to fast-cpp-csv-parser. Its classes differ with CSV_IO_NO_THREAD, which
// must therefore be the same in every file; ours are small and need no reading thread,
// and without one a process can be forked.
#ifndef QCONFORM_DATASETS_CSV_H_
#define QCONFORM_DATASETS_CSV_H_

// It cuts long file names on purpose, and g++ warns where that is inlined: in whatever
// file reads a CSV.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wstringop-truncation"
#endif

#define CSV_IO_NO_THREAD
#include <libfccp/csv.h>

#endif  // QCONFORM_DATASETS_CSV_H_
