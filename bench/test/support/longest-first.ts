import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes: if one started last, the other workers would idle at the end. */
const LONGEST = ['workloads/bidder', 'docs/run', 'cli/real', 'workloads/board'];

/** Vitest's own order, with the longest files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.slow.test.ts`));
      return found === -1 ? LONGEST.length : found;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
