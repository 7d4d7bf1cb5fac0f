import { defineConfig } from 'vitest/config';

/** The tests that hold the estimator and the verdicts: `pnpm test:mutants` looks which of its changes they notice. */
export default defineConfig({
  test: {
    include: ['bench/test/{math,figures,summary,validity}/**/*.test.ts'],
    exclude: ['bench/test/**/*.{process,slow}.test.ts'],
    env: { TERM: 'xterm', LC_ALL: 'C.UTF-8' },
    testTimeout: 10_000,
  },
});
