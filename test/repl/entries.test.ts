import { describeEntries } from "./entries-contract.ts";

describeEntries("node");
