import { describeOutgoingHere } from "./run-under.ts";

describeOutgoingHere();
