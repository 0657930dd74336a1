import { runSessionContract } from "./run-session-contract.ts";

runSessionContract("Deno", async () => [
  "node_modules/.bin/deno",
  "run",
  "--allow-all",
  "test/session/session-fixture.ts",
]);
