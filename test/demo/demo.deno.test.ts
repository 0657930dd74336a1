import { demoContract } from "./contract.ts";

demoContract("Deno", "node_modules/.bin/deno", "run", "-A", "test/demo/fixture.ts");
