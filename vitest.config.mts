import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['bench/test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Reports are in signs that the terminal and the locale of whoever tests can show.
    env: { TERM: 'xterm', LC_ALL: 'C.UTF-8' },
  },
});
