/** Row 11: records that are cut off, of another release or program, too large, or with counts that can't be. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { harnessPlace, on } from '../cli/harness.ts';
import { command, simulate } from '../support/command.ts';

const { out: path } = harnessPlace();
let whole = '';
beforeAll(async () => {
  await simulate(['frameworks', ...on(['ok'], 'single'), '--quick', '--out', path]);
  whole = readFileSync(path, 'utf8');
});

/** The record with another value in the first such place. */
function changed(pattern: RegExp, value: string): string {
  expect(whole).toMatch(pattern);
  return whole.replace(pattern, value);
}
const MANY_BYTES = 1e7;

test.each<[string, () => string, RegExp]>([
  ['is cut off', () => whole.slice(0, -1000), /can't read .*JSON/],
  [
    'is of a newer release',
    () => changed(/"version":\d+/, '"version":99'),
    /is a record of version 99; this release reads up to version/,
  ],
  ['is of another program', () => '{"schema":"other.run","version":1}', /is not a record of/],
  [
    'has 10 MB where a number should be',
    () => changed(/"wallNs":[\d.]+/, `"wallNs":"${'9'.repeat(MANY_BYTES)}"`),
    /is damaged: wallNs: .*expected number/,
  ],
  [
    'has a negative count',
    () => changed(/"ok":\d+/, '"ok":-1'),
    /is damaged: slices\.0\.measurement\..*ok: /,
  ],
])('a record that %s is refused with that, and stays as it is', async (_what, damage, says) => {
  const damaged = damage();
  writeFileSync(path, damaged);
  for (const args of [
    ['report', path],
    ['compare', path, path],
  ]) {
    const { code, stdout, stderr } = await command(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('    at ');
    expect(stderr.length).toBeLessThan(1000);
  }
  expect(readFileSync(path, 'utf8') === damaged).toBe(true);
});
