/** The functions and the types of the npm package. */
export { UserError } from './base/errors.ts';
export * from './commands/functions.ts';
export type { Figures } from './figures/figures.ts';
export type { Estimate } from './math/statistics.ts';
export type { Verdict } from './math/verdicts.ts';
export type { RunRecord } from './record/record.ts';
export type { Code } from './validity/flags.ts';
export type { Workload } from './workload/declaration.ts';
