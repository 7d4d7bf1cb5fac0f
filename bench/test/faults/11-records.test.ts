/** Row 11: records that are cut off, of another release or program, too large, or with counts that can't be. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { on } from '../cli/harness.ts';
import { command, simulate } from '../support/command.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();
const path = join(place.folder, 'record.json');
const whole = async () => {
  await simulate(['frameworks', ...on(['ok'], 'single'), '--quick', '--out', path]);
  return readFileSync(path, 'utf8');
};
const first = (text: string, pattern: RegExp, value: string) => {
  expect(text).toMatch(pattern);
  return text.replace(pattern, value);
};
const MANY_BYTES = 1e8;

test.each<[string, (text: string) => string, RegExp]>([
  ['is cut off', (text) => text.slice(0, -1000), /can't read .*JSON/],
  ['is empty', () => '', /can't read .*JSON/],
  [
    'is of a newer release',
    (text) => first(text, /"version":\d+/, '"version":99'),
    /is a record of version 99; this release reads up to version/,
  ],
  ['is of another program', () => '{"schema":"other.run","version":1}', /is not a record of/],
  [
    'is of another program and 100 MB',
    () => JSON.stringify(['x'.repeat(MANY_BYTES)]),
    /is not a record of overhead/,
  ],
  [
    'has 100 MB where a number should be',
    (text) => first(text, /"wallNs":[\d.]+/, `"wallNs":"${'9'.repeat(MANY_BYTES)}"`),
    /is damaged: wallNs: .*expected number/,
  ],
  ['has NaN', (text) => first(text, /"wallNs":[\d.]+/, '"wallNs":NaN'), /can't read .*JSON/],
  [
    'has no number where one should be',
    (text) => first(text, /"wallNs":[\d.]+/, '"wallNs":null'),
    /is damaged: wallNs: .*expected number/,
  ],
  [
    'has a negative count',
    (text) => first(text, /"ok":\d+/, '"ok":-1'),
    /is damaged: slices\.0\.measurement\..*ok: /,
  ],
])('a record that %s is refused with that, and stays as it is', async (_what, damage, says) => {
  const damaged = damage(await whole());
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
  expect(statSync(path).size).toBe(Buffer.byteLength(damaged));
  expect(readFileSync(path, 'utf8') === damaged).toBe(true);
});

test('one that is whole is read', async () => {
  await whole();
  expect(await command(['report', path])).toMatchObject({ code: 0, stderr: '' });
});
