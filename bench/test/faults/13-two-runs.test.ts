/** Rows 13 and 14: two runs at once, and a run that is stopped for a while. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  codesOf,
  ENDLESS,
  expectAnswers,
  measured,
  on,
  recordIn,
  SHORT,
  start,
  untilLoaded,
} from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();
const OK = on(['ok'], 'single');
const RUN = ['frameworks', ...OK];

test('two runs at once: the second names the first, and both are flagged', async () => {
  const [first, second] = ['first', 'second'].map((name) => join(place.folder, `${name}.json`));
  const one = start(place, [...RUN, ...ENDLESS, '--out', first ?? '']);
  await one.untilSays('a round is over');
  const two = await start(place, [...RUN, ...SHORT, '--out', second ?? '']).finished;
  one.signal('SIGINT');
  expect(await one.finished).toMatchObject({ code: 130 });
  expect(two.stderr).toContain(`Another run is measuring on this machine (process ${one.pid})`);
  for (const path of [first, second]) expect(codesOf(recordIn(path ?? ''))).toContain('OTHER_RUN');
  expect(two.stdout).toContain('OTHER_RUN');
});

test('one run alone is not flagged so', async () => {
  const { record } = await measured(place, 'frameworks', ...OK, ...SHORT);
  expect(record.hadOtherRuns).toBe(false);
});

test('row 14: a run that is stopped for 10 s measures again what it was measuring', async () => {
  const out = join(place.folder, 'record.json');
  const slices = ['-c', '10', '-d', '6', '--slice', '3', '--launches', '1', '--warmup', '0.1'];
  const harness = start(place, [...RUN, ...slices, '--out', out]);
  await harness.untilSays('a round is over');
  // In a slice, which takes 3 s.
  await untilLoaded(place, 'ok', 1);
  const scripts = ['generator-process', 'src/cli.ts'];
  const own = place
    .processes()
    .filter(({ command }) => scripts.some((each) => command.includes(each)));
  expect(own).toHaveLength(2);
  for (const { pid } of own) process.kill(pid, 'SIGSTOP');
  await sleep(10_000);
  for (const { pid } of own) process.kill(pid, 'SIGCONT');
  await harness.finished;
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(record.repeats).toHaveLength(1);
  expectAnswers(record);
});
