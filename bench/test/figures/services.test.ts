import { expect, test } from 'vitest';
import { serviceFiguresOf, servicesCpuNs } from '../../src/figures/services.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { micro } from '../support/estimates.ts';
import { makeMeasurement, makeRecord, makeTarget } from '../support/make-record.ts';

const NEEDY = makeTarget('needy', {
  services: { redis: { seed: null, seedFiles: null }, mariadb: { seed: null, seedFiles: null } },
});

/** 1,000 answers a second for 10 µs of the server's CPU each, in slices of 1 s of two launches. */
function recordOf(services: Measurement['services'], idle: RunRecord['services'] = []): RunRecord {
  const happened = { ok: 1000, cpuUsPerResponse: 10, serverBytes: 90e6, services };
  return makeRecord({ targets: [NEEDY], services: idle }, () => happened);
}

const used = (cpuMs: number, bytes = 8e6) => ({ cpuNs: cpuMs * 1e6, waitNs: 0, bytes });
const idle = (name: 'redis' | 'mariadb', ...ms: number[]) => {
  const known = { name, version: '1.2.3' };
  return ms.map((each, launch) => ({ ...known, launch, idleNsPerS: each * 1e6 }));
};

/** CPU in µs and memory in MB of each service, and of the server with all. */
function figuresOf(record: RunRecord, slices = record.slices): string | undefined {
  const figures = serviceFiguresOf(record, slices);
  const all = figures && [...figures.each, { name: 'total', ...figures.total }];
  return all
    ?.map(({ name, cpuPerRequest, bytes }) => `${name} ${micro(cpuPerRequest)} ${bytes / 1e6}`)
    .join(', ');
}

const ONE = { redis: used(4) };
const BOTH = { mariadb: used(20, 100e6), ...ONE };

test.each<[string, Measurement['services'], idle: RunRecord['services'], found: unknown]>([
  ['of one', ONE, [], 'redis 4 8, total 14 98'],
  ['of several', BOTH, [], 'redis 4 8, mariadb 20 100, total 34 198'],
  ['without its idle use', ONE, idle('redis', 1, 1), 'redis 3 8, total 13 98'],
  ['whatever others use idle', ONE, idle('mariadb', 1, 1), 'redis 4 8, total 14 98'],
  ['if there is none', {}, [], undefined],
])('services have CPU per request and memory, summed up with the server: %s', (_, ...given) => {
  const [services, idleUse, found] = given;
  expect(figuresOf(recordOf(services, idleUse))).toBe(found);
});

test('idle use is that of each launch', () => {
  const record = recordOf(ONE, idle('redis', 1, 3));
  const inLaunch = (launch: number) => record.slices.filter((slice) => slice.launch === launch);
  const found = [0, 1].map((launch) => figuresOf(record, inLaunch(launch)));
  expect(found).toEqual(['redis 3 8, total 13 98', 'redis 1 8, total 11 98']);
});

test('the CPU time of services in a slice is that of all', () => {
  const services = { redis: used(4), mariadb: used(6) };
  expect(servicesCpuNs(makeMeasurement({ services }))).toBe(10e6);
  expect(servicesCpuNs(makeMeasurement())).toBe(0);
});
