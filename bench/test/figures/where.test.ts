import { expect, test } from 'vitest';
import { type Side, type WhereTime, whereIn } from '../../src/figures/where.ts';
import type { CodeOwner, Profile } from '../../src/record/profile.ts';
import { makeSlice } from '../support/make-record.ts';

/** A window of a second with 1,000 answers: a µs of a request is a ms of it. */
function sideOf(
  { cpuMs = 0, waitMs = 0, kernelMs = 0 },
  { serverMs = cpuMs, ok = 1000, collectedMs = Number.NaN } = {},
): Side {
  const slice = makeSlice({ ok, windowS: 1, cpuUsPerResponse: (serverMs * 1000) / ok });
  const mainThread = { cpuNs: cpuMs * 1e6, waitNs: waitMs * 1e6, kernelNs: kernelMs * 1e6 };
  slice.measurement.mainThread = mainThread;
  return { slices: [slice], collectedNs: Number.isNaN(collectedMs) ? null : collectedMs * 1e6 };
}

type Kind = Exclude<CodeOwner['kind'], 'package'>;

/** So many ms of each kind, in a function of this name where one is given. */
function profileOf(...charged: [kind: Kind, ms: number, name?: string][]): Profile {
  const functions = charged.map(([kind, ms, name = kind]) => {
    return { owner: { kind }, name, file: null, line: null, ns: ms * 1e6 };
  });
  return { cell: 'a/profiled', launch: 0, samples: 1000, functions };
}

/** µs of a request, by part. */
function partsOf(time: WhereTime | null): Record<string, number> {
  const parts = [...(time?.parts ?? [])];
  return Object.fromEntries(parts.map(([key, { ns }]) => [key, Number((ns / 1000).toFixed(6))]));
}

/** Busy all the time, with a fifth of it in the kernel, and nothing in other threads. */
const PLAIN = sideOf({ cpuMs: 1000, kernelMs: 200 });
const BUSY = sideOf({ cpuMs: 1000 });
/** So many ms of it in garbage collection, by the collector's own clock. */
const collecting = (collectedMs: number, ok = 1000) => sideOf({ cpuMs: 1000 }, { ok, collectedMs });

test('the time of a request is that of the samples without the cost of sampling, in proportion', () => {
  const time = whereIn(BUSY, collecting(Number.NaN, 500), profileOf(['node', 750], ['own', 250]));
  expect(partsOf(time)).toMatchObject({ '(node)': 750, '(own)': 250, '(kernel)': 0 });
  expect(time?.samplingNs).toBe(1e6);
});

test('the time of a request has what the clock of the collector says, and others pay for the rest of the sampling', () => {
  const profile = profileOf(['node', 600], ['own', 200], ['collector', 200]);
  // Sampled, it takes 200 ms of 500 requests, and not sampled 190 ms of 1,000.
  expect(partsOf(whereIn(collecting(190), collecting(200, 500), profile))).toMatchObject({
    ...{ '(collector)': 190, '(node)': 607.5, '(own)': 202.5 },
  });
});

test('the time of a request has what samples say of the collector if its clock has not seen all of it', () => {
  const profile = profileOf(['node', 700], ['collector', 300]);
  const time = whereIn(collecting(100), collecting(100), profile);
  expect(partsOf(time)).toMatchObject({ '(collector)': 300 });
});

test.each([
  ['was not read', Number.NaN, Number.NaN],
  ['saw nothing', 0, 0],
  ['saw more than there is', 900, 100],
])('its parts are in proportion if the clock of the collector %s', (_, plain, sampled) => {
  const profile = profileOf(['node', 750], ['collector', 250]);
  const parts = partsOf(whereIn(collecting(plain), collecting(sampled, 500), profile));
  expect(parts).toMatchObject({ '(node)': 750, '(collector)': 250 });
});

test("the time of a request has the kernel's time once: off those that call it, in proportion, and off no others", () => {
  const rest = profileOf(['node', 400], ['program', 150], ['idle', 50], ['native', 100, 'crc32']);
  const { functions } = profileOf(['native', 200, 'writev']);
  const profile = { ...rest, functions: [...rest.functions, ...functions] };
  expect(partsOf(whereIn(PLAIN, PLAIN, profile))).toEqual({
    ...{ '(kernel)': 200, '(background)': 0, '(node)': 400 },
    // Half of what these took was the kernel.
    ...{ '(native)': 200, '(program)': 75, '(idle)': 25 },
  });
});

test('the time of a request is without sleep, off (idle) and then (program), and without waiting for a core', () => {
  const half = sideOf({ cpuMs: 500, waitMs: 100 });
  const profile = profileOf(['idle', 300], ['program', 300], ['node', 400]);
  // It waited for a sixth of the time that it did not sleep.
  expect(partsOf(whereIn(half, half, profile))).toMatchObject({
    ...{ '(idle)': 0, '(program)': 166.666667, '(node)': 333.333333 },
  });
});

test('the time of a request has that of other threads as the system counts it', () => {
  const side = sideOf({ cpuMs: 800 }, { serverMs: 1000 });
  const time = whereIn(side, side, profileOf(['node', 800], ['idle', 200]));
  expect(partsOf(time)).toMatchObject({ '(background)': 200, '(node)': 800, '(idle)': 0 });
  expect(time?.measuredNs).toBe(1e6);
});

test('the time of a request is never scaled to come out right: samples that miss work leave a gap', () => {
  const parts = partsOf(whereIn(BUSY, BUSY, profileOf(['node', 600])));
  expect(parts).toEqual({ '(kernel)': 0, '(background)': 0, '(node)': 600 });
});

test('the time of a request is unknown without a profile, or if the main thread was not measured', () => {
  const blind = sideOf({});
  for (const { measurement } of blind.slices) measurement.mainThread = null;
  expect(whereIn(PLAIN, PLAIN, undefined)).toBeNull();
  expect(whereIn(PLAIN, blind, profileOf())).toBeNull();
  expect(whereIn({ ...PLAIN, slices: [] }, PLAIN, profileOf())).toBeNull();
});
