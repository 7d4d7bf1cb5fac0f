import { describe, expect, test } from 'vitest';
import type { Batch, BatchWindow } from '../../src/load/protocol.ts';
import { warmUp } from '../../src/run/warm-up.ts';

const NEVER = new AbortController().signal;
const CAPPED = { kind: 'settled', capNs: 3e9 } as const;

/** What a server takes for an answer, in each batch. */
interface Pace {
  perS?: number;
  us?: (batch: number) => number;
}

/** Carries batches out as a server at this pace would, and keeps what was asked for. */
function serverAt({ perS = 10_000, us = () => 50 }: Pace = {}) {
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

const halving = (batch: number) => 50 * 2 ** Math.max(0, 8 - batch);

describe('a warm-up', () => {
  test('goes on until the server has settled', async () => {
    const { carryOut, windows } = serverAt();
    const warmup = await warmUp(CAPPED, carryOut, NEVER);
    expect(warmup).toMatchObject({ outcome: 'settled', ns: expect.closeTo(1e8 + 6 * 1.2e8, 0) });
    expect(warmup?.batches).toHaveLength(7);
    const equal = Array.from({ length: 6 }, () => 1200);
    expect(windows.map(({ answers }) => answers)).toEqual([null, ...equal]);
  });

  test('takes longer where the server does', async () => {
    const { carryOut } = serverAt({ us: halving });
    const warmup = await warmUp(CAPPED, carryOut, NEVER);
    expect(warmup).toMatchObject({ outcome: 'settled' });
    expect(warmup?.batches.length).toBeGreaterThan(9);
  });

  test('tells what each batch was', async () => {
    const { carryOut } = serverAt({ us: (batch) => (batch === 0 ? 90 : 50) });
    const warmup = await warmUp(CAPPED, carryOut, NEVER);
    const [first, second] = warmup?.batches ?? [];
    const pilot = { asked: null, answers: 1000, ns: 1e8 };
    expect(first).toEqual({ ...pilot, cpuNs: 1000 * 90_000, bytes: 80e6 });
    const sized = { asked: 1200, answers: 1200, ns: 1.2e8 };
    expect(second).toEqual({ ...sized, cpuNs: 1200 * 50_000, bytes: 80e6 });
  });

  test('ends when the time is up, and says that the server had not settled', async () => {
    const { carryOut, windows } = serverAt({ us: (batch) => 50 * 1.2 ** batch });
    const warmup = await warmUp(CAPPED, carryOut, NEVER);
    expect(warmup).toMatchObject({ outcome: 'capped', ns: expect.closeTo(3e9, 0) });
    expect(windows.at(-1)?.ns).toBeLessThanOrEqual(3e9);
    // No batch may take longer than what is left.
    const spent = warmup?.batches.map(({ ns }) => ns) ?? [];
    let leftNs = 3e9;
    for (const [index, ns] of spent.entries()) {
      expect(windows[index]?.ns).toBeLessThanOrEqual(leftNs + 1);
      leftNs -= ns;
    }
  });

  test('has batches of three answers where the server is slow, as far as time allows', async () => {
    const { carryOut, windows } = serverAt({ perS: 10 });
    const warmup = await warmUp({ kind: 'settled', capNs: 9e9 }, carryOut, NEVER);
    expect(warmup).toMatchObject({ outcome: 'settled' });
    expect(windows.slice(1).map(({ answers }) => answers)).toEqual([3, 3, 3, 3, 3, 3]);
    const capped = await warmUp(
      { kind: 'settled', capNs: 1e9 },
      serverAt({ perS: 10 }).carryOut,
      NEVER,
    );
    expect(capped).toMatchObject({ outcome: 'capped' });
  });
});

describe('there is no warm-up', () => {
  test('where none is planned', async () => {
    const { carryOut, windows } = serverAt();
    expect(await warmUp({ kind: 'none' }, carryOut, NEVER)).toBeNull();
    expect(windows).toEqual([]);
  });

  test('of a server that is lost on the way', async () => {
    const { carryOut, windows } = serverAt();
    const dying = async (window: BatchWindow) => {
      return windows.length < 3 ? await carryOut(window) : null;
    };
    expect(await warmUp(CAPPED, dying, NEVER)).toBeNull();
    expect(windows).toHaveLength(3);
  });

  test('where the run is to end soon: no batch begins any more', async () => {
    const soon = new AbortController();
    const { carryOut, windows } = serverAt();
    const interrupting = async (window: BatchWindow) => {
      if (windows.length === 3) soon.abort();
      return await carryOut(window);
    };
    expect(await warmUp(CAPPED, interrupting, soon.signal)).toBeNull();
    expect(windows).toHaveLength(4);
    expect(await warmUp(CAPPED, carryOut, soon.signal)).toBeNull();
    expect(windows).toHaveLength(4);
  });
});
