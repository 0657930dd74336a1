import { transportContract } from "./contract.ts";

transportContract("bun");
