import { describeHardship } from "./unusual-input-contract.ts";

describeHardship("bun");
