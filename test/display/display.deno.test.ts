import { displayContract } from "./contract.ts";

displayContract("Deno", "node_modules/.bin/deno", "run", "-A");
