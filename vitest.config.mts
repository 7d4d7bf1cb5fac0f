import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './bench/test/support/longest-first.ts';

const ALL = 'bench/test/**/*.test.ts';
/** Whole commands, whole reports, documents and random input: nearly every file of bench/src can touch these. */
const WHOLE = ['bench/test/{cli,docs}/**/*.test.ts', 'bench/test/**/*.{whole,random}.test.ts'];
const PROCESS = 'bench/test/**/*.process.test.ts';
const SLOW = 'bench/test/**/*.slow.test.ts';
/** What a machine can do to a run, for real. */
const FAULTS = 'bench/test/faults/**/*.test.ts';

/** Reports are in signs that the terminal and the locale of whoever tests can show. */
const env = { TERM: 'xterm', LC_ALL: 'C.UTF-8', COLUMNS: '' };

/** Most of the CPU time of a short command would go into compiling its modules. */
const compiled = { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') };

/** Of tests that start no process and wait for nothing. */
const inProcess = {
  env,
  pool: 'threads' as const,
  isolate: false,
  maxWorkers: 2,
  testTimeout: 10_000,
  sequence: { groupOrder: 1 },
};

/** A machine that is busy elsewhere can starve a real server: what fails twice is a defect. */
const AGAIN = { retry: 1 };

/** Of tests of whole runs of real servers. */
const real = {
  env: { ...env, ...compiled },
  ...AGAIN,
  maxWorkers: 3,
  testTimeout: 180_000,
  hookTimeout: 60_000,
};

/** Each project's time limit is that of its tier, so that a test in the wrong one fails. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'pure',
          include: [ALL],
          exclude: [PROCESS, SLOW, FAULTS, ...WHOLE],
          ...inProcess,
        },
      },
      { test: { name: 'whole', include: WHOLE, exclude: [PROCESS, SLOW], ...inProcess } },
      {
        test: {
          name: 'processes',
          include: [PROCESS],
          env: { ...env, ...compiled },
          ...AGAIN,
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 2 },
        },
      },
      { test: { name: 'slow', include: [SLOW], ...real, sequence: { groupOrder: 3 } } },
      { test: { name: 'faults', include: [FAULTS], ...real, sequence: { groupOrder: 4 } } },
    ],
  },
});
