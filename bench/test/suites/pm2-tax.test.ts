import { describe, expect, test } from 'vitest';
import { userError } from '../support/caught.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { makeOptions } from '../support/make-record.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import { idsOf, loadsOf, placedBy, topologiesOf } from './loads-of.ts';

const TOPOLOGIES = ['fork', 1] as const;

describe("the loads of pm2's tax", () => {
  test('are the cost load, with or without a plain process', () => {
    const managed = { topologies: [...TOPOLOGIES] };
    expect(idsOf(loadsOf(pm2Tax, managed))).toEqual(['cost']);
    expect(topologiesOf('cost', placedBy(pm2Tax, managed))).toEqual(['fork', '1']);
    const all = { topologies: ['single' as const, ...TOPOLOGIES] };
    expect(topologiesOf('cost', placedBy(pm2Tax, all))).toEqual(['single', 'fork', '1']);
  });

  test('are derived from nothing', () => {
    expect(pm2Tax.pilot(makeOptions())).toBeNull();
  });
});

test('every manager of one process is compared with none, of Fastify', () => {
  const topologies = ['single', 'fork', 1, 'pmx:1', 'cluster:1'];
  expect(pm2Tax.defaults({})).toMatchObject({ topologies, connections: 100, pipelining: 10 });
  const asked = { packages: FIXTURES, options: makeOptions() };
  const { message } = userError(() => pm2Tax.subjects({ given: {}, ...asked }));
  expect(message).toBe('unknown target "fastify-app"');
  const { targets, probes } = pm2Tax.subjects({ given: { targets: ['ok'] }, ...asked });
  expect(targets.map(({ name }) => name)).toEqual(['ok']);
  expect(probes).toEqual([]);
});
