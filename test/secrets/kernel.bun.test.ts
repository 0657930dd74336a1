import { describeSecretsOfKernel } from "./kernel-contract.ts";

describeSecretsOfKernel("bun");
