import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Beginnings of the paths of files that take more than 20 seconds: a fresh clone has no durations to sort by. */
export const LONGEST: readonly string[] = [
  "test/session/session.",
  "test/browser/",
  "test/runtimes/node-versions.",
  "test/linear/",
  "test/jupyter/installed.",
  "test/jupyter/kernel.",
  "test/http/http.",
  "test/package/",
  "test/repl/prompt.",
  "test/repl/script.",
  "test/notebook/run.",
  "test/notebook/saved-notebooks.",
  "test/request/hostile.",
];

/**
 * Begins with the files that take longest, so that no worker waits at the end for one that began last. The others
 * are run project by project: a worker keeps its modules as long as the next file is of the same project.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId, project }: TestSpecification): boolean => {
      const path = relative(project.config.root, moduleId);
      return LONGEST.some((beginning) => path.startsWith(beginning));
    };
    const others = sorted
      .filter((file) => !isLong(file))
      .sort((one, other) => one.project.name.localeCompare(other.project.name));
    return [...sorted.filter(isLong), ...others];
  }
}
