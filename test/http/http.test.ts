import { describeContractHere } from "./run-under.ts";

describeContractHere();
