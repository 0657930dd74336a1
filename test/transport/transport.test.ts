import { transportContract } from "./contract.ts";

transportContract("node");
