import { describeReplay } from "./replay-contract.ts";

describeReplay("deno");
