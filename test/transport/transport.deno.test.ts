import { transportContract } from "./contract.ts";

transportContract("deno");
