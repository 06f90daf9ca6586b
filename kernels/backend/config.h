// The Halide backend's own config: what it declares.
#ifndef QCONFORM_KERNELS_BACKEND_CONFIG_H_
#define QCONFORM_KERNELS_BACKEND_CONFIG_H_

namespace qconform::kernels {

// JSON with the keys of torch's BackendConfig.to_dict; static storage.
const char* BackendConfigText();

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_BACKEND_CONFIG_H_
