import type { Handler } from "../kernel/mod.ts";

export const kernelInfo: Handler = (_job, { info }) => info;
