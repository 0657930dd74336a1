import type { Handler } from "../kernel.ts";

export const kernelInfo: Handler = (_job, { info }) => info;
