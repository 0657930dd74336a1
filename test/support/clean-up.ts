import { afterAll } from "vitest";
import { removeFolders } from "./folders.ts";
import { endProcesses } from "./processes.ts";

// Set up for each test file: files that share their modules load those of this folder only once.
afterAll(() => {
  endProcesses();
  removeFolders();
  // A clone with its packages has tens of thousands of files.
}, 240_000);
