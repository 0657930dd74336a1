import { describeRecordingAtPrompt } from "./recording-contract.ts";

describeRecordingAtPrompt("node");
