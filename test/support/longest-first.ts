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

/** The project with most short files comes last. */
const PROJECTS = ["deno", "bun", "alone", "node", "library"];

/**
 * Runs the files project by project, since a worker keeps its modules as long as the next file is of the same project.
 * In each the files that take longest come first, so that no worker waits at the end for one that began last.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification): number => {
      const path = relative(project.config.root, moduleId);
      const isLong = LONGEST.some((beginning) => path.startsWith(beginning));
      return PROJECTS.indexOf(project.name) * 2 + (isLong ? 0 : 1);
    };
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
