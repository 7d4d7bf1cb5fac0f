/** Row 14: the wall clock of the harness and its generator is stepped by an hour, forth and back. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { expectAnswers, on, recordIn, SIX_ROUNDS, start } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const step = join(place.folder, 'step');
/** Where Debian's libfaketime is. */
const LIBRARY = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));
const STEPPED = {
  LD_PRELOAD: LIBRARY ?? '',
  FAKETIME_TIMESTAMP_FILE: step,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
};
const HOUR_MS = 3600e3;

/** How far the wall clock of a process with this environment is from the real one, ms. */
async function offsetOf(env: Record<string, string>): Promise<number> {
  const { stdout } = await execa(process.execPath, ['-p', 'Date.now()'], { env });
  return Number(stdout) - Date.now();
}

test.runIf(LIBRARY !== undefined).each([
  ['+3600', HOUR_MS],
  ['-3600', -HOUR_MS],
])('a wall clock that is stepped by %s s changes nothing that is measured', async (by, stepMs) => {
  writeFileSync(step, '+0');
  const args = ['frameworks', ...on(['ok'], 'single'), ...SIX_ROUNDS, '--out', out];
  const harness = start(place, args, STEPPED);
  await harness.untilSays('a round is over');
  writeFileSync(step, by);
  expect(Math.abs((await offsetOf(STEPPED)) - stepMs)).toBeLessThan(10_000);
  const seen = place.processes().filter(({ command }) => command.includes('generator-process'));
  expect(seen).toHaveLength(1);
  await harness.untilSays('a round is over', 3);
  writeFileSync(step, '+0');
  await harness.finished;
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [], repeats: [] });
  expectAnswers(record);
  expect(record.wallNs).toBeLessThan(HOUR_MS * 1e6);
  for (const { measurement } of record.slices) {
    expect(measurement.windowNs).toBeGreaterThan(0);
    expect(measurement.windowNs).toBeLessThan(HOUR_MS * 1e6);
  }
});
