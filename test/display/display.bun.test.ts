import { displayContract } from "./contract.ts";

displayContract("Bun", "node_modules/.bin/bun");
