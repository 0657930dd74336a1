import { startDemo } from "../../kernel/demo/mod.ts";

// Runs the demo for the contract: says where it is, ends it when its input ends, says that it has.
const demo = await startDemo({ port: 0 });
const again = await startDemo({ port: demo.port }).then(
  () => "no error",
  (error: Error) => error.message,
);
console.log(JSON.stringify({ url: demo.url, port: demo.port, again }));
for await (const _ of process.stdin);
await demo.close();
await demo.close();
console.log(JSON.stringify("closed"));
