/** Rows 13 and 14: two runs at once, a run that is stopped for a while, and a wall clock that is stepped. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { codesOf, ENDLESS, harnessPlace, on, SHORT } from '../cli/harness.ts';

const place = harnessPlace();
const RUN = ['frameworks', ...on(['ok'], 'single')];
const running = (...names: string[]) => {
  return place.processes().filter(({ command }) => names.some((name) => command.includes(name)));
};

test('two runs at once: the second names the first, and both are flagged', async () => {
  const [first = '', second = ''] = ['1', '2'].map((name) => join(place.folder, `${name}.json`));
  const one = place.start([...RUN, ...ENDLESS, '--out', first]);
  await one.untilSays('a round is over');
  const two = await place.start([...RUN, ...SHORT, '--out', second]).finished;
  one.signal('SIGINT');
  expect(await one.finished).toMatchObject({ code: 130 });
  expect(two.stderr).toContain(`Another run is measuring on this machine (process ${one.pid})`);
  for (const path of [first, second]) expect(codesOf(place.record(path))).toContain('OTHER_RUN');
  expect(two.stdout).toContain('OTHER_RUN');
});

test('row 14: a run that is stopped for 10 s measures again what it was measuring', async () => {
  const slices = ['-c', '10', '-d', '6', '--slice', '3', '--launches', '1', '--warmup', '0.1'];
  const harness = await place.startRound(...on(['ok'], 'single'), ...slices);
  // In a slice, which takes 3 s.
  await place.untilLoaded('ok', 1);
  const own = running('generator-process', 'src/cli.ts');
  expect(own).toHaveLength(2);
  for (const { pid } of own) process.kill(pid, 'SIGSTOP');
  await sleep(10_000);
  for (const { pid } of own) process.kill(pid, 'SIGCONT');
  await harness.finished;
  expect(place.wholeRecord({ hadOtherRuns: false }).repeats).toHaveLength(1);
});

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

test.runIf(LIBRARY)('row 14: a wall clock that is stepped changes nothing measured', async () => {
  writeFileSync(step, '+0');
  const harness = place.start([...RUN, ...SHORT, '-d', '2.4', '--out', place.out], STEPPED);
  for (const [rounds, by, stepMs] of [
    [1, '+3600', HOUR_MS],
    [3, '-3600', -HOUR_MS],
  ] as const) {
    await harness.untilSays('a round is over', rounds);
    writeFileSync(step, by);
    const { stdout } = await execa(process.execPath, ['-p', 'Date.now()'], { env: STEPPED });
    expect(Math.abs(Number(stdout) - Date.now() - stepMs)).toBeLessThan(10_000);
    expect(running('generator-process')).toHaveLength(1);
  }
  await harness.untilSays('a round is over', 5);
  writeFileSync(step, '+0');
  await harness.finished;
  const record = place.wholeRecord({ repeats: [] });
  expect(record.wallNs).toBeLessThan(HOUR_MS * 1e6);
  for (const { measurement } of record.slices) {
    expect(measurement.windowNs).toBeGreaterThan(0);
    expect(measurement.windowNs).toBeLessThan(HOUR_MS * 1e6);
  }
});
