import { expect, test } from 'vitest';
import type { Batch, BatchWindow } from '../../src/load/protocol.ts';
import { warmUp } from '../../src/run/warm-up.ts';

const NEVER = new AbortController().signal;
const CAPPED = { kind: 'settled', capNs: 3e9 } as const;

/** Carries batches out as a server would that takes so long for each answer, and keeps what was asked for. */
function serverAt(perS: number, us: (batch: number) => number = () => 50) {
  const windows: BatchWindow[] = [];
  const carryOut = async ({ ns, answers }: BatchWindow): Promise<Batch> => {
    const inTime = Math.floor((ns / 1e9) * perS);
    const came = Math.min(answers ?? inTime, inTime);
    const tookNs = answers !== null && came === answers ? (came / perS) * 1e9 : ns;
    const cpuNs = came * us(windows.length) * 1000;
    windows.push({ ns, answers });
    return { answers: came, ns: tookNs, cpuNs, bytes: 80e6 };
  };
  return { windows, carryOut };
}

const QUICK = 10_000;
const SLOW = 10;

test.each([
  ['a quick server', QUICK, 3e9, [null, ...Array(6).fill(1200)], 'settled'],
  ['a slow one, in batches of three answers', SLOW, 9e9, [null, ...Array(6).fill(3)], 'settled'],
  ['a slow one, as far as time allows', SLOW, 1e9, [null, 3, 3, 3], 'capped'],
])('a warm-up goes on until the server has settled, or the time is up: %s', async (...given) => {
  const [, perS, capNs, answers, outcome] = given;
  const { carryOut, windows } = serverAt(perS);
  const warmup = await warmUp({ kind: 'settled', capNs }, carryOut, NEVER);
  expect(windows.map((window) => window.answers)).toEqual(answers);
  expect(warmup?.outcome).toBe(outcome);
  const spentNs = warmup?.batches.reduce((sum, { ns }) => sum + ns, 0);
  expect(warmup?.ns).toBeCloseTo(spentNs ?? 0, 0);
});

test('a warm-up takes longer where the server does, and tells what each batch was', async () => {
  const { carryOut } = serverAt(QUICK, (batch) => 50 * 2 ** Math.max(0, 8 - batch));
  const warmup = await warmUp(CAPPED, carryOut, NEVER);
  expect(warmup).toMatchObject({ outcome: 'settled' });
  const [first, second, ...others] = warmup?.batches ?? [];
  expect(others.length).toBeGreaterThan(7);
  const pilot = { asked: null, answers: 1000, ns: 1e8, bytes: 80e6 };
  expect(first).toEqual({ ...pilot, cpuNs: 1000 * 50_000 * 2 ** 8 });
  const sized = { asked: 1200, answers: 1200, ns: 1.2e8, bytes: 80e6 };
  expect(second).toEqual({ ...sized, cpuNs: 1200 * 50_000 * 2 ** 7 });
});

test('no batch may take longer than what is left, where the server does not settle', async () => {
  const { carryOut, windows } = serverAt(QUICK, (batch) => 50 * 1.2 ** batch);
  const warmup = await warmUp(CAPPED, carryOut, NEVER);
  expect(warmup).toMatchObject({ outcome: 'capped', ns: expect.closeTo(3e9, 0) });
  let leftNs = 3e9;
  for (const [index, { ns }] of (warmup?.batches ?? []).entries()) {
    expect(windows[index]?.ns).toBeLessThanOrEqual(leftNs + 1);
    leftNs -= ns;
  }
});

test('there is no warm-up where none is planned', async () => {
  const { carryOut, windows } = serverAt(QUICK);
  expect(await warmUp({ kind: 'none' }, carryOut, NEVER)).toBeNull();
  expect(windows).toEqual([]);
});

test('there is no warm-up of a server that is lost on the way', async () => {
  const { carryOut, windows } = serverAt(QUICK);
  const dying = async (window: BatchWindow) => (windows.length < 3 ? await carryOut(window) : null);
  expect(await warmUp(CAPPED, dying, NEVER)).toBeNull();
  expect(windows).toHaveLength(3);
});

test('where the run is to end soon no batch begins any more', async () => {
  const soon = new AbortController();
  const { carryOut, windows } = serverAt(QUICK);
  const interrupting = async (window: BatchWindow) => {
    if (windows.length === 3) soon.abort();
    return await carryOut(window);
  };
  for (let again = 0; again < 2; again++) {
    expect(await warmUp(CAPPED, interrupting, soon.signal)).toBeNull();
    expect(windows).toHaveLength(4);
  }
});
