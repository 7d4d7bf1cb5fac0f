import { expect, test } from 'vitest';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import { userError } from '../support/caught.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { makeOptions } from '../support/make-record.ts';
import { placedBy, topologiesOf } from './loads-of.ts';

test.each([[['fork', 1] as const], [['single', 'fork', 1] as const]])(
  "pm2's tax is measured under the cost load, with or without a plain process: %j",
  (topologies) => {
    const placed = placedBy(pm2Tax, { topologies: [...topologies] });
    expect(placed).toHaveLength(1);
    expect(topologiesOf('cost', placed)).toEqual(topologies.map(String));
  },
);

test('it is that of Fastify, unless others are named', () => {
  const asked = { packages: FIXTURES, options: makeOptions() };
  const { message } = userError(() => pm2Tax.subjects({ given: {}, ...asked }));
  expect(message).toBe('unknown target "fastify-app"');
  const { targets, probes } = pm2Tax.subjects({ given: { targets: ['ok'] }, ...asked });
  expect(targets.map(({ name }) => name)).toEqual(['ok']);
  expect(probes).toEqual([]);
});
