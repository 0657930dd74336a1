// Sends requests in turn by one contender and prints what it took:
//   send-contender.mjs ours|ky GET|POST base library platform requests
// Where the runtime has a collector to call (node --expose-gc), the heap is measured as well.
import process from "node:process";
import ky from "ky";

const [contender, method, base, library, platformLibrary, count] = process.argv.slice(2);
const requests = Number(count);
// Until the compilers of the runtime have settled; ours has more code to compile.
const WARM_UP = 1500;
const json = { name: "Ada", email: "ada@example.com", tags: ["a", "b"] };

const CONTENDERS = {
  async ours() {
    const { createClient } = await import(library);
    const client = createClient();
    client.setVar("base", base);
    client.setVar("user", json);
    const text = method === "GET" ? "GET {{base}}/users/7" : "POST {{base}}/users\n\n{{user}}";
    return async () => (await client.send(text)).text.length;
  },
  async ky() {
    const { platform } = await import(platformLibrary);
    const options = {
      // The same as ours.
      fetch: platform.connect(),
      redirect: "manual",
      retry: 0,
      throwHttpErrors: false,
      ...(method === "GET" ? {} : { method, json }),
    };
    return async () => (await (await ky(`${base}/users/7`, options)).text()).length;
  },
};

const send = await CONTENDERS[contender]();
for (let index = 0; index < WARM_UP; index++) await send();
const heapBefore = await heap();
const cpuBefore = process.cpuUsage();
const start = performance.now();
for (let index = 0; index < requests; index++) await send();
const micros = ((performance.now() - start) * 1000) / requests;
const { user, system } = process.cpuUsage(cpuBefore);
const heapAfter = await heap();
const connections = Number(await (await fetch(`${base}/connections`)).text());
console.log(
  JSON.stringify({
    micros,
    cpu: (user + system) / requests,
    connections,
    grown: heapAfter - heapBefore,
  }),
);

async function heap() {
  if (!globalThis.gc) return 0;
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    // A `Request` is let go of for good by what the collector calls a moment later.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return process.memoryUsage().heapUsed;
}
