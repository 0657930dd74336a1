import { describeImports } from "./imports-contract.ts";

describeImports("deno");
