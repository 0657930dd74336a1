import { describeOutgoingUnder } from "./run-under.ts";

describeOutgoingUnder("bun", "run");
