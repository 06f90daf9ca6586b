#include "conformance/host/call_reply.h"

namespace qconform {
namespace {

void PutTensor(ByteWriter& writer, const CallTensor& tensor) {
  writer.Put(tensor.dtype);
  writer.PutVector(tensor.shape);
  writer.PutVector(tensor.scale);
  writer.PutVector(tensor.zero_point);
  writer.PutVector(tensor.zero_point_f32);
  writer.Put(tensor.axis);
  writer.Put(tensor.quant_min);
  writer.Put(tensor.quant_max);
  writer.Put(tensor.constant);
  writer.PutVector(tensor.data);
}

CallTensor GetTensor(ByteReader& reader) {
  CallTensor tensor;
  tensor.dtype = reader.Get<qc_dtype>();
  tensor.shape = reader.GetVector<int64_t>();
  tensor.scale = reader.GetVector<float>();
  tensor.zero_point = reader.GetVector<int32_t>();
  tensor.zero_point_f32 = reader.GetVector<float>();
  tensor.axis = reader.Get<int>();
  tensor.quant_min = reader.Get<int32_t>();
  tensor.quant_max = reader.Get<int32_t>();
  tensor.constant = reader.Get<bool>();
  tensor.data = reader.GetVector<std::byte>();
  return tensor;
}

}  // namespace

std::vector<std::byte> EncodeRequest(const CallRequest& request) {
  ByteWriter writer;
  const OperatorCall& call = request.call;
  writer.Put(request.threads);
  writer.Put(request.mode);
  writer.Put(request.cpu_seconds);
  writer.Put(call.kind);
  writer.Put(call.attributes);
  writer.PutString(call.scheme);
  writer.Put<uint64_t>(call.inputs.size());
  for (const auto& input : call.inputs) {
    writer.Put(input.has_value());
    if (input) PutTensor(writer, *input);
  }
  writer.Put<uint64_t>(call.outputs.size());
  for (const CallTensor& output : call.outputs) PutTensor(writer, output);
  return writer.bytes();
}

CallRequest DecodeRequest(const std::vector<std::byte>& bytes) {
  ByteReader reader(bytes);
  CallRequest request;
  OperatorCall& call = request.call;
  request.threads = reader.Get<int32_t>();
  request.mode = reader.Get<CallMode>();
  request.cpu_seconds = reader.Get<int64_t>();
  call.kind = reader.Get<qc_operator_kind>();
  call.attributes = reader.Get<qc_attributes>();
  call.scheme = reader.GetString();
  call.inputs.resize(reader.GetCount(1));
  for (auto& input : call.inputs)
    if (reader.Get<bool>()) input = GetTensor(reader);
  call.outputs.resize(reader.GetCount(1));
  for (CallTensor& output : call.outputs) output = GetTensor(reader);
  return request;
}

std::vector<std::byte> EncodeReply(const CallReply& reply) {
  ByteWriter writer;
  writer.Put(reply.query_status);
  writer.Put(reply.supported);
  writer.PutString(reply.reason);
  writer.PutString(reply.scheme);
  writer.Put(reply.memory_formats);
  writer.Put(reply.may_alias);
  writer.Put<uint64_t>(reply.runs.size());
  for (const FormatRun& run : reply.runs) {
    writer.Put(run.format);
    writer.PutString(run.path);
    writer.Put(run.threads);
    writer.Put(run.workspace_bytes);
    writer.Put(run.problem);
    writer.PutString(run.phase);
    writer.PutString(run.detail);
    writer.Put<uint64_t>(run.outputs.size());
    for (const auto& output : run.outputs) writer.PutVector(output);
  }
  return writer.bytes();
}

CallReply DecodeReply(const std::vector<std::byte>& bytes) {
  ByteReader reader(bytes);
  CallReply reply;
  reply.query_status = reader.Get<qc_status>();
  reply.supported = reader.Get<bool>();
  reply.reason = reader.GetString();
  reply.scheme = reader.GetString();
  reply.memory_formats = reader.Get<uint32_t>();
  reply.may_alias = reader.Get<bool>();
  reply.runs.resize(reader.GetCount(1));
  for (FormatRun& run : reply.runs) {
    run.format = reader.Get<MemoryFormat>();
    run.path = reader.GetString();
    run.threads = reader.Get<int32_t>();
    run.workspace_bytes = reader.Get<uint64_t>();
    run.problem = reader.Get<RunProblem>();
    run.phase = reader.GetString();
    run.detail = reader.GetString();
    run.outputs.resize(reader.GetCount(1));
    for (auto& output : run.outputs) output = reader.GetVector<std::byte>();
  }
  return reply;
}

std::vector<std::byte> EncodeBackend(const LoadedBackend& backend) {
  ByteWriter writer;
  writer.PutString(backend.name);
  writer.PutString(backend.version);
  writer.Put(backend.abi_major);
  writer.Put(backend.abi_minor);
  writer.PutString(backend.config);
  writer.Put(backend.has_partition);
  return writer.bytes();
}

LoadedBackend DecodeBackend(const std::vector<std::byte>& bytes) {
  ByteReader reader(bytes);
  LoadedBackend backend;
  backend.name = reader.GetString();
  backend.version = reader.GetString();
  backend.abi_major = reader.Get<uint32_t>();
  backend.abi_minor = reader.Get<uint32_t>();
  backend.config = reader.GetString();
  backend.has_partition = reader.Get<bool>();
  return backend;
}

}  // namespace qconform
