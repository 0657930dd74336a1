const { NodeTracerProvider } = require("@opentelemetry/sdk-trace-node");
const { registerInstrumentations } = require("@opentelemetry/instrumentation");
const { HttpInstrumentation } = require("@opentelemetry/instrumentation-http");

new NodeTracerProvider().register();
registerInstrumentations({ instrumentations: [new HttpInstrumentation()] });
require("node:http");
const { createClient } = require("restlab");

const TEXT = "POST {{url}}\nAuthorization: Bearer t-0123456789\nX-A: 1\nx-a: 2\nX-A: 3\n\ntext";
const client = createClient();
client.setVar("url", process.argv[2]);
client.send(TEXT).then(({ json }) => console.log(JSON.stringify(json)));
