import { describeHardAnswers } from "./unusual-answers-contract.ts";

describeHardAnswers("deno");
