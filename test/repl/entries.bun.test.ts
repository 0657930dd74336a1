import { describeEntries } from "./entries-contract.ts";

describeEntries("bun");
