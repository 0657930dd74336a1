import { describeReplay } from "./replay-contract.ts";

describeReplay("bun");
