import { describeAsking } from "./asking-contract.ts";

describeAsking("node");
