import { describeAsking } from "./asking-contract.ts";

describeAsking("bun");
