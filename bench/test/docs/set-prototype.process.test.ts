/** The script that shows without Express why Express is slow on Node 22. */
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { ROOT } from './documents.ts';

const SCRIPT = join(ROOT, 'docs/scripts/set-prototype.mjs');
/** The first release of Node whose V8 keeps such objects together. */
const FIRST_TO_SHARE = 24;

test('prints what a request costs with and without another prototype, and what V8 makes of the response', async () => {
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
