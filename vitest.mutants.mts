import { defineConfig } from 'vitest/config';

/** The tests that hold the estimator and the verdicts: `pnpm test:mutants` looks which of its changes they notice. */
export default defineConfig({
  test: {
    include: [
      'bench/test/{math,figures,validity}/**/*.test.ts',
      'bench/test/summary/summary.test.ts',
    ],
    // Of many runs a simulation notices what an example does, in a thousand times the time.
    exclude: ['bench/test/**/*.{process,slow,whole}.test.ts'],
    env: { TERM: 'xterm', LC_ALL: 'C.UTF-8', OVERHEAD_RANDOM_CASES: '30' },
    testTimeout: 10_000,
  },
});
