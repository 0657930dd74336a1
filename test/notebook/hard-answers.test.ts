import { describeHardAnswers } from "./hard-answers-contract.ts";

describeHardAnswers("node");
