/** `restlab install`: the kernel spec with its logo, and the extensions of front ends. */

export type { Scope } from "./folders.ts";
export type { InstallOptions } from "./kernel-spec.ts";
