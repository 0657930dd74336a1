import { expect, test } from "vitest";
import { createKernelInfo, KERNEL_VERSION } from "../../kernel/jupyter/kernel/kernel-info.ts";
import { version } from "../../lib/mod.ts";

test("the kernel's version is the library's", () => {
  expect(KERNEL_VERSION).toBe(version);
  expect(createKernelInfo("Deno")).toMatchObject({
    implementation_version: version,
    banner: expect.stringContaining(`restlab ${version} on Deno`),
  });
});
