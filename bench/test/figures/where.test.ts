import { describe, expect, test } from 'vitest';
import { partKey, type Side, type WhereTime, whereIn } from '../../src/figures/where.ts';
import type { Charged, CodeOwner, Profile } from '../../src/record/profile.ts';
import type { MainThread } from '../../src/system/main-thread.ts';
import { makeMeasurement } from '../support/make-record.ts';

/** A window of a second with 1,000 answers: a µs of a request is a ms of it. */
function sideOf(
  mainThreadMs: Partial<Record<keyof MainThread, number>>,
  serverMs: number,
  { ok = 1000, collectedMs }: { ok?: number; collectedMs?: number } = {},
): Side {
  const { cpuNs = 0, waitNs = 0, kernelNs = 0 } = mainThreadMs;
  const measurement = makeMeasurement({ ok, windowS: 1, cpuUsPerResponse: (serverMs * 1000) / ok });
  const mainThread = { cpuNs: cpuNs * 1e6, waitNs: waitNs * 1e6, kernelNs: kernelNs * 1e6 };
  const slice = {
    ...{ cell: 'a', launch: 0, round: 0, startedNs: 0, handler: null },
    measurement: { ...measurement, mainThread },
  };
  return { slices: [slice], collectedNs: collectedMs === undefined ? null : collectedMs * 1e6 };
}

function charged(
  kind: Exclude<CodeOwner['kind'], 'package'>,
  ms: number,
  name: string = kind,
): Charged {
  return { owner: { kind }, name, file: null, line: null, ns: ms * 1e6 };
}

function profileOf(...functions: Charged[]): Profile {
  return { cell: 'a/profiled', launch: 0, samples: 1000, functions };
}

/** µs of a request, by part. */
function partsOf(time: WhereTime | null): Record<string, number> {
  const parts = (time?.parts ?? []).map(({ part, ns }) => [partKey(part), ns / 1000] as const);
  return Object.fromEntries(parts.map(([key, us]) => [key, Number(us.toFixed(6))]));
}

/** Busy all the time, with a fifth of it in the kernel, and nothing in other threads. */
const PLAIN = sideOf({ cpuNs: 1000, kernelNs: 200 }, 1000);

describe('where the time of a request went', () => {
  test('is what samples say, without what sampling costs, which all pay in proportion', () => {
    const slower = sideOf({ cpuNs: 1000 }, 1000, { ok: 500 });
    const profile = profileOf(charged('node', 750), charged('own', 250));
    const time = whereIn(sideOf({ cpuNs: 1000 }, 1000), slower, profile);
    expect(partsOf(time)).toMatchObject({ '(node)': 750, '(own)': 250, '(kernel)': 0 });
    expect(time?.samplingNs).toBe(1e6);
  });

  test('has of the collector what its own clock knows, and others pay for the rest of the sampling', () => {
    const plain = sideOf({ cpuNs: 1000 }, 1000, { collectedMs: 190 });
    const slower = sideOf({ cpuNs: 1000 }, 1000, { ok: 500, collectedMs: 200 });
    const profile = profileOf(charged('node', 600), charged('own', 200), charged('collector', 200));
    // Sampled, it takes 200 ms of 500 requests, and not sampled 190 ms of 1,000.
    expect(partsOf(whereIn(plain, slower, profile))).toMatchObject({
      ...{ '(collector)': 190, '(node)': 607.5, '(own)': 202.5 },
    });
  });

  test('has what samples say of the collector where its clock has not seen all of it', () => {
    const plain = sideOf({ cpuNs: 1000 }, 1000, { collectedMs: 100 });
    const same = sideOf({ cpuNs: 1000 }, 1000, { collectedMs: 100 });
    const profile = profileOf(charged('node', 700), charged('collector', 300));
    expect(partsOf(whereIn(plain, same, profile))).toMatchObject({ '(collector)': 300 });
  });

  test.each([
    ['nobody asked it', {}, {}],
    ['it saw nothing', { collectedMs: 0 }, { collectedMs: 0 }],
    ['it saw more than there is', { collectedMs: 900 }, { collectedMs: 100 }],
  ])(
    'pays in proportion where the clock of the collector is of no use: %s',
    (_, ofPlain, ofSampled) => {
      const plain = sideOf({ cpuNs: 1000 }, 1000, ofPlain);
      const slower = sideOf({ cpuNs: 1000 }, 1000, { ok: 500, ...ofSampled });
      const profile = profileOf(charged('node', 750), charged('collector', 250));
      const parts = partsOf(whereIn(plain, slower, profile));
      expect(parts).toMatchObject({ '(node)': 750, '(collector)': 250 });
    },
  );

  test("has the kernel's time once: off those who call it, in proportion, and nobody else", () => {
    const profile = profileOf(
      charged('node', 400),
      charged('native', 200, 'writev'),
      charged('native', 100, 'crc32'),
      charged('program', 150),
      charged('idle', 50),
    );
    const parts = partsOf(whereIn(PLAIN, PLAIN, profile));
    expect(parts).toEqual({
      ...{ '(kernel)': 200, '(background)': 0, '(node)': 400 },
      // Half of what these took was the kernel.
      ...{ '(native)': 200, '(program)': 75, '(idle)': 25 },
    });
  });

  test('is without the time asleep, off (idle) and then (program), and without waiting for a core', () => {
    const half = sideOf({ cpuNs: 500, waitNs: 100 }, 500);
    const profile = profileOf(charged('idle', 300), charged('program', 300), charged('node', 400));
    const parts = partsOf(whereIn(half, half, profile));
    // A sixth of the time that it did not sleep it waited.
    expect(parts).toMatchObject({ '(idle)': 0, '(program)': 166.666667, '(node)': 333.333333 });
  });

  test('has what other threads used as the system counts it', () => {
    const side = sideOf({ cpuNs: 800 }, 1000);
    const profile = profileOf(charged('node', 800), charged('idle', 200));
    const time = whereIn(side, side, profile);
    expect(partsOf(time)).toMatchObject({ '(background)': 200, '(node)': 800, '(idle)': 0 });
    expect(time?.measuredNs).toBe(1e6);
  });

  test('never comes out right by scaling: samples that miss work leave a gap', () => {
    const profile = profileOf(charged('node', 600));
    const time = whereIn(sideOf({ cpuNs: 1000 }, 1000), sideOf({ cpuNs: 1000 }, 1000), profile);
    const together = (time?.parts ?? []).reduce((sum, { ns }) => sum + ns, 0);
    expect(together).toBe(6e5);
  });

  test('is unknown without a profile, or where nobody looked at the thread', () => {
    const blind = sideOf({}, 1);
    for (const { measurement } of blind.slices) measurement.mainThread = null;
    expect(whereIn(PLAIN, PLAIN, undefined)).toBeNull();
    expect(whereIn(PLAIN, blind, profileOf())).toBeNull();
    expect(whereIn({ ...PLAIN, slices: [] }, PLAIN, profileOf())).toBeNull();
  });
});
