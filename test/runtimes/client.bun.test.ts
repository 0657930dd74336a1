import { describeClientUnder } from "./run-under.ts";

describeClientUnder("bun", "run");
