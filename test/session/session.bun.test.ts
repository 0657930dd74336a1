import { runSessionContract } from "./run-session-contract.ts";

runSessionContract("Bun", async () => ["node_modules/.bin/bun", "test/session/session-fixture.ts"]);
