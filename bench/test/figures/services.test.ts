import { expect, test } from 'vitest';
import { serviceFiguresOf, servicesCpuNs } from '../../src/figures/services.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import { pointOf } from '../../src/math/statistics.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { makeMeasurement, makeRecord, makeTarget } from '../support/make-record.ts';

const NEEDY = makeTarget('needy', {
  services: { redis: { seed: null, seedFiles: null }, mariadb: { seed: null, seedFiles: null } },
});

/** 1,000 answers a second for 10 µs of the server's CPU each, in slices of 1 s of two launches. */
function recordOf(services: Measurement['services'], idle: RunRecord['services'] = []): RunRecord {
  const happened = { ok: 1000, cpuUsPerResponse: 10, serverBytes: 90e6, services };
  return makeRecord({ targets: [NEEDY], services: idle }, () => happened);
}

const used = (cpuMs: number, bytes = 8e6) => ({
  ...{ cpuNs: cpuMs * 1e6, waitNs: 0 },
  ...{ bytes, peakBytes: bytes },
});
const idle = (name: 'redis' | 'mariadb', launch: number, ms: number) => {
  return { name, launch, version: '1.2.3', idleNsPerS: ms * 1e6 };
};

/** The figures, with CPU in µs as points. */
function figuresOf(record: RunRecord) {
  const figures = serviceFiguresOf(record, record.slices);
  if (figures === null) return null;
  const { each, total } = figures;
  return {
    each: each.map(({ name, cpuPerRequest, bytes }) => [name, pointOf(cpuPerRequest), bytes]),
    total: [pointOf(total.cpuPerRequest), total.bytes],
  };
}

test('a service has its CPU a request and its memory, and the sum is with the server', () => {
  expect(figuresOf(recordOf({ redis: used(4) }))).toEqual({
    each: [['redis', expect.closeTo(4000), 8e6]],
    total: [expect.closeTo(14_000), 98e6],
  });
});

test('several services are summed up', () => {
  const figures = figuresOf(recordOf({ mariadb: used(20, 100e6), redis: used(4) }));
  expect(figures?.each.map(([name]) => name)).toEqual(['redis', 'mariadb']);
  expect(figures?.total).toEqual([expect.closeTo(34_000), 198e6]);
});

test('what it uses idle is taken off, launch by launch', () => {
  const record = recordOf({ redis: used(4) }, [idle('redis', 0, 1), idle('redis', 1, 1)]);
  expect(figuresOf(record)).toMatchObject({
    each: [['redis', expect.closeTo(3000), 8e6]],
    total: [expect.closeTo(13_000), 98e6],
  });
  const first = recordOf({ redis: used(4) }, [idle('redis', 0, 1), idle('redis', 1, 3)]);
  const ofLaunch = (launch: number) => {
    const slices = first.slices.filter((slice) => slice.launch === launch);
    const figures = serviceFiguresOf(first, slices);
    return pointOf(figures?.each[0]?.cpuPerRequest ?? { kind: 'none' });
  };
  expect([ofLaunch(0), ofLaunch(1)]).toEqual([expect.closeTo(3000), expect.closeTo(1000)]);
});

test('what another service uses idle is not', () => {
  const record = recordOf({ redis: used(4) }, [idle('mariadb', 0, 1), idle('mariadb', 1, 1)]);
  expect(figuresOf(record)?.each).toEqual([['redis', expect.closeTo(4000), 8e6]]);
});

test('a server without services has no such figures', () => {
  expect(figuresOf(recordOf({}))).toBeNull();
});

test('their CPU time in a slice is that of all', () => {
  const services = { redis: used(4), mariadb: used(6) };
  expect(servicesCpuNs(makeMeasurement({ services }))).toBe(10e6);
  expect(servicesCpuNs(makeMeasurement())).toBe(0);
});
