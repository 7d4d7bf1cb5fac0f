import type { Reporter, TestCase, TestModule } from 'vitest/node';

const MOST = 20;

/** Prints the slowest tests of a run, and the numbers of passed, failed and skipped tests. */
export default class SlowestTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const slowest = tests.toSorted((a, b) => msOf(b) - msOf(a)).slice(0, MOST);
    console.log(`\nThe slowest ${slowest.length} tests`);
    for (const test of slowest) {
      const seconds = (msOf(test) / 1000).toFixed(1).padStart(7);
      console.log(`${seconds} s  ${test.module.relativeModuleId} > ${test.fullName}`);
    }
    const counts = ['passed', 'failed', 'skipped'].map((state) => {
      return `${tests.filter((test) => test.result().state === state).length} ${state}`;
    });
    console.log(`\n${counts.join(', ')}`);
  }
}

function msOf(test: TestCase): number {
  return test.diagnostic()?.duration ?? 0;
}
