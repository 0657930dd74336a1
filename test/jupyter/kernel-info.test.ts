import { expect, test } from "vitest";
import { createKernelInfo } from "../../kernel/jupyter/kernel-info.ts";
import { KERNEL_VERSION } from "../../kernel/jupyter/mod.ts";
import { version } from "../../lib/mod.ts";

test("the kernel's version is the library's", () => {
  expect(KERNEL_VERSION).toBe(version);
  expect(createKernelInfo("Deno")).toMatchObject({
    implementation_version: version,
    banner: expect.stringContaining(`restlab ${version} on Deno`),
  });
});
