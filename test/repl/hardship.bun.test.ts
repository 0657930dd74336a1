import { describeHardship } from "./hardship-contract.ts";

describeHardship("bun");
