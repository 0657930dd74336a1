import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { inflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { kernelsFolder } from "../../kernel/jupyter/install/folders.ts";
import {
  type InstallContext,
  installKernelspec,
  uninstallKernelspec,
} from "../../kernel/jupyter/install/kernel-spec.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "restlab-install-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program where a package manager would have put it. */
function programIn(...path: readonly string[]): string {
  const file = join(folder, ...path, "node_modules/restlab/dist/kernel/main.js");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  return file;
}

function context(given: Partial<InstallContext> = {}): InstallContext {
  return {
    system: "linux",
    environment: { JUPYTER_DATA_DIR: join(folder, "data"), PATH: join(folder, "bin") },
    directory: folder,
    home: join(folder, "home"),
    current: "node",
    program: programIn("project"),
    ...given,
  };
}

const readSpec = (place: string) => JSON.parse(readFileSync(join(place, "kernel.json"), "utf8"));

describe("installKernelspec", () => {
  test("writes a spec with an absolute command, message interrupts and logos", async () => {
    const installed = await installKernelspec({ scope: { kind: "user" } }, context());
    expect(installed).toMatchObject({
      folder: join(folder, "data/kernels/restlab"),
      name: "restlab",
      displayName: "restlab",
      jupyter: undefined,
    });
    const spec = readSpec(installed.folder);
    expect(spec).toMatchObject({
      display_name: "restlab",
      language: "restlab",
      interrupt_mode: "message",
    });
    expect(spec.argv[0]).toBe(process.execPath);
    expect(isAbsolute(spec.argv.find((word: string) => word.endsWith("main.js")))).toBe(true);
    expect(spec.argv.slice(-3)).toEqual(["kernel", "--connection-file", "{connection_file}"]);
    for (const logo of ["logo-32x32.png", "logo-64x64.png", "logo-svg.svg"]) {
      expect(existsSync(join(installed.folder, logo))).toBe(true);
    }
  });

  test("installs the highlighting of front ends, until the last kernel is removed", async () => {
    const scope = { kind: "user" } as const;
    const installed = await installKernelspec({ scope }, context());
    await installKernelspec({ scope, name: "second" }, context());
    const lab = join(folder, "data/labextensions/restlab");
    const manifest = JSON.parse(readFileSync(join(lab, "package.json"), "utf8"));
    const { load } = manifest.jupyterlab._build;
    expect(readFileSync(join(lab, load), "utf8")).toContain("_JUPYTERLAB.restlab");
    const script = readFileSync(join(installed.folder, "kernel.js"), "utf8");
    expect(script).toContain('defineMode("restlab"');
    // Scripts, not modules.
    expect(`${script}${readFileSync(join(lab, load), "utf8")}`).not.toMatch(/^(?:im|ex)port /m);
    const vsix = readFileSync(join(installed.folder, "restlab.vsix"));
    expect(vsix.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
    expect(vsix.toString("latin1")).toContain("extension/http.tmLanguage.json");
    if (process.getuid !== undefined) expect(statSync(lab).mode & 0o077).toBe(0);
    uninstallKernelspec({ scope }, context());
    expect(existsSync(lab)).toBe(true);
    uninstallKernelspec({ scope, name: "second" }, context());
    expect(existsSync(lab)).toBe(false);
  });

  test("installs several runtimes side by side", async () => {
    mkdirSync(join(folder, "bin"));
    for (const name of ["bun", "deno"]) writeFileSync(join(folder, "bin", name), "");
    const scope = { kind: "prefix", directory: "env" } as const;
    for (const runtime of ["node", "deno", "bun"] as const) {
      await installKernelspec({ scope, runtime }, context());
    }
    const kernels = join(folder, "env/share/jupyter/kernels");
    const commands = ["restlab", "restlab-deno", "restlab-bun"].map(
      (name) => readSpec(join(kernels, name)).argv,
    );
    expect(commands[1].slice(0, 2)).toEqual([join(folder, "bin/deno"), "run"]);
    expect(commands[2][0]).toBe(join(folder, "bin/bun"));
    expect(readSpec(join(kernels, "restlab-bun")).display_name).toBe("restlab (Bun)");
  });

  test("accepts names, with the folder in lower case", async () => {
    const options = { scope: { kind: "user" }, name: "My-API", displayName: "My API" } as const;
    const installed = await installKernelspec(options, context());
    expect(installed.name).toBe("my-api");
    expect(readSpec(installed.folder).display_name).toBe("My API");
  });

  test("copies a program from a cache that npx may delete", async () => {
    const program = programIn("cache/_npx/0a1b2c");
    writeFileSync(join(folder, "cache/_npx/0a1b2c/node_modules/other.js"), "");
    const installed = await installKernelspec({ scope: { kind: "user" } }, context({ program }));
    const command = readSpec(installed.folder).argv.join(" ");
    expect(command).not.toContain("_npx");
    const copy = join(installed.folder, "package/node_modules/restlab/dist/kernel/main.js");
    expect(command).toContain(copy);
    expect(existsSync(copy)).toBe(true);
    expect(existsSync(join(installed.folder, "package/node_modules/other.js"))).toBe(true);
    expect(installed.notes.join()).toContain("npx may delete");
  });

  test("lets Deno use node_modules if the program is in it, and only then", async () => {
    const argvOf = async (program: string): Promise<readonly string[]> => {
      const given = { current: "deno", program } as const;
      const installed = await installKernelspec({ scope: { kind: "user" } }, context(given));
      return readSpec(installed.folder).argv;
    };
    const flag = "--node-modules-dir=manual";
    const global = programIn("lib");
    expect((await argvOf(global)).slice(-5, -3)).toEqual([flag, global]);
    const copied = await argvOf(programIn("cache/_npx/0a1b2c"));
    expect(copied.at(-5)).toBe(flag);
    mkdirSync(join(folder, "kernel"), { recursive: true });
    writeFileSync(join(folder, "kernel/main.ts"), "");
    expect(await argvOf(join(folder, "kernel/main.ts"))).not.toContain(flag);
  });

  test("starts a program that Deno has cached by its name", async () => {
    const program = join(folder, "deno/npm/registry.example/restlab/2.3.0/dist/kernel/main.js");
    const given = { current: "deno", program } as const;
    const installed = await installKernelspec({ scope: { kind: "user" } }, context(given));
    expect(readSpec(installed.folder).argv).toContainEqual(
      expect.stringMatching(/^npm:restlab@\d/),
    );
  });

  test.each([
    ["user", 0o000, 0o700, 0o600],
    ["user", 0o022, 0o700, 0o600],
    ["prefix", 0o000, 0o755, 0o644],
    ["prefix", 0o077, 0o755, 0o600],
  ] as const)(
    "what it writes for %s is its owner's with umask %o",
    async (kind, mask, folderMode, fileMode) => {
      const program = programIn("cache/_npx/0a1b2c");
      chmodSync(program, 0o666);
      chmodSync(dirname(program), 0o777);
      const scope = kind === "user" ? { kind } : { kind, directory: "env" };
      // Installed before, by somebody less careful.
      const { folder: place } = await installKernelspec({ scope }, context({ program }));
      for (const name of ["", "kernel.json", "logo-svg.svg"]) chmodSync(join(place, name), 0o777);
      const before = process.umask(mask);
      try {
        await installKernelspec({ scope }, context({ program }));
      } finally {
        process.umask(before);
      }
      const modeOf = (name: string): number => statSync(join(place, name)).mode & 0o777;
      const files = ["kernel.js", "kernel.json", "restlab.vsix", "logo-svg.svg", "logo-64x64.png"];
      for (const name of files) expect([name, modeOf(name)]).toEqual([name, fileMode]);
      expect(modeOf("")).toBe(folderMode);
      const entries = readdirSync(place, { recursive: true }).map(String);
      expect(entries).toContain("package/node_modules/restlab/dist/kernel/main.js");
      expect(entries.filter((name) => (modeOf(name) & 0o022) !== 0)).toEqual([]);
      expect(entries.filter((name) => name.endsWith(".part"))).toEqual([]);
    },
  );

  test.each([
    ["a name that is none", { name: "../up" }, /"..\/up" failed: a name may contain only letters/],
    ["a runtime that is not there", { runtime: "bun" }, /"bun" failed: it is not on the PATH/],
    ["no environment", { scope: { kind: "sys-prefix" } }, /no environment is active/],
  ] as const)("refuses %s and says what to do", async (_name, options, message) => {
    await expect(
      installKernelspec({ scope: { kind: "user" }, ...options }, context()),
    ).rejects.toThrow(message);
  });
});

describe("the kernel of another program", () => {
  const argv = ["/usr/bin/python3", "-m", "ipykernel_launcher"];
  const name = "their-kernel";
  /** One that another program has installed. */
  function other(place: string, text: string = JSON.stringify({ argv })): string {
    const at = join(folder, place, "kernels", name);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, "kernel.json"), text);
    writeFileSync(join(at, "kernel.js"), "theirs");
    return at;
  }

  test.each([
    ["in the same folder", "data", { kind: "user" }],
    ["that is broken", "data", { kind: "user" }, "{"],
    ["of all, which a user's own goes before", "venv/share/jupyter", { kind: "user" }],
    ["on JUPYTER_PATH", "more", { kind: "user" }],
    ["of the environment", "venv/share/jupyter", { kind: "sys-prefix" }],
    ["of a prefix", "a/share/jupyter", { kind: "prefix", directory: "a" }],
  ] as const)("%s is not replaced without --force", async (_name, place, scope, text?) => {
    const at = other(place, text);
    const before = readFileSync(join(at, "kernel.json"), "utf8");
    const { environment } = context();
    const given = context({
      environment: {
        ...environment,
        VIRTUAL_ENV: join(folder, "venv"),
        JUPYTER_PATH: join(folder, "more"),
      },
    });
    await expect(installKernelspec({ scope, name }, given)).rejects.toThrow(
      `Installing "their-kernel" failed: "${join(at, "kernel.json")}" belongs to another program; choose another name with --name, or replace it with --force`,
    );
    expect(readFileSync(join(at, "kernel.json"), "utf8")).toBe(before);
    const { folder: forced } = await installKernelspec({ scope, name, force: true }, given);
    expect(readSpec(forced).metadata.restlab).toBeDefined();
    // That of the other program is gone.
    expect(readFileSync(join(forced, "kernel.js"), "utf8")).toContain('defineMode("restlab"');
    await installKernelspec({ scope: { kind: "prefix", directory: "elsewhere" }, name }, given);
  });

  test("is restored if its replacement fails, and so is a link to it", async () => {
    const at = other("data");
    const options = { scope: { kind: "user" }, name, force: true } as const;
    await expect(installKernelspec({ ...options, runtime: "bun" }, context())).rejects.toThrow(
      "PATH",
    );
    expect(readSpec(at).argv).toEqual(argv);
    const linked = join(folder, "data/kernels/lab");
    symlinkSync(at, linked);
    await installKernelspec({ ...options, name: "lab" }, context());
    expect(readSpec(linked).metadata.restlab).toBeDefined();
    expect(readSpec(at).argv).toEqual(argv);
    expect(readdirSync(join(folder, "data/kernels")).sort()).toEqual(["lab", name]);
  });

  test("does not prevent the reinstallation of restlab's own", async () => {
    for (const _ of [1, 2]) await installKernelspec({ scope: { kind: "user" }, name }, context());
    expect(readSpec(join(folder, "data/kernels", name)).metadata.restlab).toBeDefined();
  });
});

describe("uninstallKernelspec", () => {
  test("removes what was installed, and nothing else", async () => {
    const installed = await installKernelspec({ scope: { kind: "user" } }, context());
    expect(uninstallKernelspec({ scope: { kind: "user" } }, context())).toBe(installed.folder);
    expect(existsSync(installed.folder)).toBe(false);
    expect(() => uninstallKernelspec({ scope: { kind: "user" } }, context())).toThrow(
      /"restlab" failed: ".*kernel.json" does not exist/,
    );
  });

  test("keeps the spec of another program", () => {
    const foreign = join(folder, "data/kernels/python3");
    mkdirSync(foreign, { recursive: true });
    writeFileSync(join(foreign, "kernel.json"), '{"argv":["python"]}');
    const options = { scope: { kind: "user" }, name: "python3" } as const;
    expect(() => uninstallKernelspec(options, context())).toThrow(/belongs to another program/);
    expect(existsSync(foreign)).toBe(true);
  });
});

describe("kernelsFolder", () => {
  const home = "/home/ada";
  test.each([
    ["linux", {}, "/home/ada/.local/share/jupyter/kernels"],
    ["linux", { XDG_DATA_HOME: "/data" }, "/data/jupyter/kernels"],
    ["darwin", {}, "/home/ada/Library/Jupyter/kernels"],
    ["win32", { APPDATA: "/roaming" }, "/roaming/jupyter/kernels"],
    ["darwin", { JUPYTER_DATA_DIR: "/own" }, "/own/kernels"],
  ])("on %s with %j is %s", (system, environment, expected) => {
    const given = { system, environment, directory: "/work", home };
    expect(kernelsFolder({ kind: "user" }, given)).toBe(expected);
  });

  test("is in the active environment for sys-prefix, or else in that of the Jupyter on the PATH", () => {
    const bin = join(folder, "venv/bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "jupyter"), "");
    const at = (environment: Record<string, string>) =>
      kernelsFolder({ kind: "sys-prefix" }, { system: "linux", environment, directory: folder });
    expect(at({ VIRTUAL_ENV: "/venv" })).toBe("/venv/share/jupyter/kernels");
    expect(at({ CONDA_PREFIX: "/conda" })).toBe("/conda/share/jupyter/kernels");
    mkdirSync(join(folder, "tools/jupyter"), { recursive: true });
    expect(at({ PATH: `${join(folder, "tools")}:${join(bin, "jupyter")}:${bin}` })).toBe(
      join(folder, "venv/share/jupyter/kernels"),
    );
  });
});

describe("the logo", () => {
  const install = async (name: string): Promise<Buffer> => {
    const installed = await installKernelspec({ scope: { kind: "user" } }, context());
    return readFileSync(join(installed.folder, name));
  };

  test.each([32, 64])("is a PNG of %i pixels that is not empty", async (size) => {
    const png = await install(`logo-${size}x${size}.png`);
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
    const length = png.readUInt32BE(33);
    const pixels = inflateSync(png.subarray(41, 41 + length));
    expect(pixels).toHaveLength(size * (size * 4 + 1));
    expect(new Set(pixels).size).toBeGreaterThan(10);
  });

  test("is also an SVG", async () => {
    const svg = (await install("logo-svg.svg")).toString();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox/);
  });
});
