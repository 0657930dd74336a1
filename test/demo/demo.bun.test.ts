import { demoContract } from "./contract.ts";

demoContract("Bun", "node_modules/.bin/bun", "test/demo/fixture.ts");
