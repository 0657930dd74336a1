import type { Reporter, TestModule } from "vitest/node";

/** Lists at the end which tests passed or failed after they were tried again: the list is to be short, and shrink. */
export class RetriedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => {
        const count = test.diagnostic()?.retryCount ?? 0;
        return count === 0 ? [] : `  ${count}x ${module.relativeModuleId} > ${test.fullName}`;
      }),
    );
    console.log(lines.length === 0 ? "No test was retried" : `Retried:\n${lines.join("\n")}`);
  }
}
