// node tflite_given.js TFL_JS MODEL FOLDER: runs a model in TFLite (TFL_JS of ../shared/tools/real-tflite loads it)
// with FOLDER/in_I.npy, of the types of its inputs, and writes the bytes of its outputs to FOLDER/out_I.bin and their
// shapes to FOLDER/shapes.json. tflite_ops.py makes the inputs.
const fs = require("fs"), path = require("path");
const [, , tfl, model, folder] = process.argv;
const bytesOf = (tensor) => {
  const data = tensor.data();
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
};

require(path.resolve(tfl)).mod().then((tflite) => {
  const bytes = fs.readFileSync(model), at = tflite._malloc(bytes.length);
  tflite.HEAPU8.set(bytes, at);
  const options = { numThreads: 1, enableProfiling: false, maxProfilingBufferEntries: 0 };
  const made = tflite.TFLiteWebModelRunner.CreateFromBufferAndOptions(at, bytes.length, options);
  if (!made.ok()) {
    throw new Error(made.errorMessage());
  }
  const runner = made.value(), inputs = runner.GetInputs(), shapes = [];
  for (let i = 0; i < inputs.size(); i++) {
    const file = fs.readFileSync(path.join(folder, `in_${i}.npy`));
    bytesOf(inputs.get(i)).set(file.subarray(10 + file.readUInt16LE(8)));
  }
  if (!runner.Infer()) {
    throw new Error("infer failed");
  }
  const outputs = runner.GetOutputs();
  for (let i = 0; i < outputs.size(); i++) {
    fs.writeFileSync(path.join(folder, `out_${i}.bin`), bytesOf(outputs.get(i)));
    shapes.push(outputs.get(i).shape.split(",").filter((text) => text).map(Number));
  }
  fs.writeFileSync(path.join(folder, "shapes.json"), JSON.stringify(shapes));
}).catch((error) => {
  console.error(String(error.message || error));
  process.exit(4);
});
