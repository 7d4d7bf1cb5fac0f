/** The script that shows why Express is slow on Node 22, without Express. */
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { ROOT } from './documents.ts';

const SCRIPT = join(ROOT, 'docs/scripts/set-prototype.mjs');
/** The first Node whose V8 gives such objects one hidden class. */
const FIRST_TO_SHARE = 24;

test('prints the cost of a request with and without another prototype, and the hidden classes of responses', async () => {
  const { stdout } = await execa(process.execPath, [SCRIPT, '50', '1']);
  const [major = 0] = process.versions.node.split('.').map(Number);
  const classes = major < FIRST_TO_SHARE ? 'have a hidden class each' : 'share a hidden class';
  expect(stdout.split('\n')).toEqual([
    `Node ${process.versions.node}, V8 ${process.versions.v8}`,
    expect.stringMatching(/^ {2}\d+\.\d µs a request$/),
    expect.stringMatching(/^ {2}\d+\.\d µs with setPrototypeOf, \d+\.\d\d times$/),
    `  responses ${classes}`,
  ]);
});
