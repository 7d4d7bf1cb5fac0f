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

const MANY_BYTES = `"wallNs":"${'9'.repeat(1e7)}"`;
const NEWER = /is a record of version 99; this release reads up to version/;
const NO_NUMBER = /is damaged: wallNs: .*expected number/;

test.each<[string, RegExp, string, RegExp]>([
  ['is cut off', /.{99}$/s, '', /can't read .*JSON/],
  ['is of a newer release', /"version":\d+/, '"version":99', NEWER],
  ['is of another program', /^.*$/s, '{"schema":"other.run","version":1}', /is not a record of/],
  ['has 10 MB where a number should be', /"wallNs":[\d.]+/, MANY_BYTES, NO_NUMBER],
  ['has a negative count', /"ok":\d+/, '"ok":-1', /is damaged: slices\.0\.measurement\..*ok: /],
])('a record that %s is refused with that, and stays as it is', async (...given) => {
  const [, part, value, says] = given;
  expect(whole).toMatch(part);
  const damaged = whole.replace(part, value);
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
