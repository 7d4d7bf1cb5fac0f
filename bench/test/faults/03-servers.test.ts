import { expect, test } from 'vitest';
import { dueIn, ENDLESS, harnessPlace, on, SHORT } from '../cli/harness.ts';

const place = harnessPlace();

test('servers that fail are marked with their last words, wrong answers counted, others measured', async () => {
  const bad = ['crash-at-once', 'crash-under-load', 'wrong-body', 'wrong-status'];
  const targets = on(['ok', ...bad, 'wrong-under-load'], 'single');
  const { record, ...run } = await place.run(...targets, ...SHORT, '-d', '0.6');
  expect(run.code).toBe(1);
  const { failures, slices, state, plan } = record;
  expect(state).toBe('complete');
  const told = failures.map(({ server, when, died }) => `${server} at ${when}, died: ${died}`);
  expect(told.sort()).toEqual([
    'crash-at-once/single at start, died: true',
    expect.stringMatching(/^crash-under-load\/single at (warm-up|slice), died: true$/),
    'wrong-body/single at verify, died: false',
    'wrong-status/single at verify, died: false',
  ]);
  const isGood = (cell: string) => /^(ok|wrong-under-load|canned)\//.test(cell);
  expect(slices.map(({ cell }) => cell).sort()).toEqual(dueIn(plan).filter(isGood).sort());
  // From some request on each answer is wrong: at the latest in the last slice.
  const last = slices.findLast(({ cell }) => cell.startsWith('wrong-under-load/'))?.measurement;
  expect(last?.window).toMatchObject({ ok: 0, wrongBody: 0 });
  expect(last?.window.wrongStatus).toBeGreaterThan(0);
  for (const { cell, measurement } of slices.filter((slice) => slice.cell.startsWith('ok/'))) {
    expect({ cell, wrong: measurement.ledger.wrongStatus }).toEqual({ cell, wrong: 0 });
  }
  expect(run.stdout).toContain('  no licence file: giving up');
  expect(run.stdout).toContain('  the pool is empty: giving up');
  expect(run.stdout).toContain('"Goodbye World!" instead of "Hello World!"');
  expect(run.stdout).toContain('status 503 instead of 200');
});

test('rows 3 and 4: a plain server and a worker of a cluster that are killed fail, the others go on', async () => {
  const options = [...on(['ok', 'ok-too'], 'single,2'), ...ENDLESS, '-d', '0.6'];
  const harness = await place.startRound(...options, '--launches', '1');
  const victims = place.serversOf('ok');
  // A worker of pm2 does not tell its port.
  const plain = victims.find(({ port }) => port !== null);
  const worker = victims.find(({ port }) => port === null);
  if (plain?.port == null || worker === undefined) throw new Error('ok does not run as both');
  place.watch(plain.port);
  for (const { pid } of [plain, worker]) process.kill(pid, 'SIGKILL');
  const run = await harness.finished;
  expect(run.code).toBe(1);
  const record = place.record();
  expect(record.state).toBe('complete');
  expect(record.failures.toSorted((a, b) => a.server.localeCompare(b.server))).toMatchObject([
    { server: 'ok/2', launch: 0, when: 'slice', died: true },
    { server: 'ok/single', launch: 0, when: 'slice', died: true },
  ]);
  const others = (ids: string[]) => ids.filter((cell) => cell.startsWith('ok-too/')).sort();
  expect(others(record.slices.map(({ cell }) => cell))).toEqual(others(dueIn(record.plan)));
});

test('a reader of the progress that goes away leaves nothing running', async () => {
  const pipe = '"$0" "$@" 2>&1 | head -n 1';
  const args = ['frameworks', ...on(['ok'], 'single'), ...ENDLESS, '--out', place.out];
  const harness = place.start(args, {}, (command) => ['sh', '-c', pipe, ...command]);
  expect((await harness.finished).stdout).toContain('launch 1 of 60');
  await place.untilEmpty(20_000);
});
