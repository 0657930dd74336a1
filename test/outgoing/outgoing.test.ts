import { describeOutgoingUnder } from "./run-under.ts";

describeOutgoingUnder("node");
