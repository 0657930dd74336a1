import type { Reporter, TestModule } from "vitest/node";

/** Milliseconds from which a file is listed, and how many are at most. */
const SLOW = 1_000;
const LISTED = 15;

/**
 * Says at the end which files took longest, so that the next reader of a log sees it, and which tests passed or failed
 * after they were tried again, and why: that list is to be short, and shrink.
 */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    print("Slowest", slowest(modules));
    print("Retried", retried(modules));
  }
}

function slowest(modules: readonly TestModule[]): readonly string[] {
  return modules
    .map((module) => ({ module, ...module.diagnostic() }))
    .filter(({ duration }) => duration > SLOW)
    .sort((one, other) => other.duration - one.duration)
    .slice(0, LISTED)
    .map(({ module, duration }) => {
      const seconds = (duration / 1000).toFixed(0).padStart(4);
      return `${seconds} s ${module.project.name} ${module.relativeModuleId}`;
    });
}

function retried(modules: readonly TestModule[]): readonly string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests()].flatMap((test) => {
      const count = test.diagnostic()?.retryCount ?? 0;
      if (count === 0) return [];
      const reasons = test.result().errors?.map(({ message }) => `     ${message.split("\n")[0]}`);
      return [`  ${count}x ${module.relativeModuleId} > ${test.fullName}`, ...(reasons ?? [])];
    }),
  );
}

function print(title: string, lines: readonly string[]): void {
  console.log(lines.length === 0 ? `${title}: none` : `${title}:\n${lines.join("\n")}`);
}
