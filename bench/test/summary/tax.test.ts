import { describe, expect, test } from 'vitest';
import type { TopologyName } from '../../src/request/option-values.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import type { Tax } from '../../src/summary/comparisons.ts';
import { failuresOf } from '../support/failures.ts';
import { makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

const WAYS: TopologyName[] = ['single', 'fork', 1, 'pmx:1', 'cluster:1'];
const COSTS: Record<string, number> = {
  ...{ single: 10, fork: 10, '1': 10.6, 'pmx:1': 10.9, 'cluster:1': 9 },
};
const TARGETS = [makeTarget('fast'), makeTarget('slow')];

/** µs under each manager, on a machine a tenth slower in every other launch; the slow target costs twice as much. */
const usual: Story = ({ topology, target }, launch) => {
  const pace = 1 + 0.1 * (launch % 2);
  const cpuUsPerResponse = (COSTS[topology] ?? 0) * pace * (target === 'slow' ? 2 : 1);
  return { ok: 1000, cpuUsPerResponse };
};

/** What each manager costs the fast target and the slow one. */
function taxesOf(
  { options = {}, ...parts }: Parameters<typeof makeRecord>[0] = {},
  story = usual,
): Tax[] | null {
  const load = { connections: 100, pipelining: 10, launches: 3, durationS: 6 };
  const asked = { topologies: WAYS, ...load, ...options };
  return summariesOf(
    makeRecord({ suite: pm2Tax, targets: TARGETS, options: asked, ...parts }, story),
  ).taxes;
}

const rowsOf = (tax: Tax | undefined) => {
  return (tax?.rows ?? []).map(({ topology, comparison }) => ({ id: topology.id, comparison }));
};
const verdictsOf = (tax: Tax | undefined) => {
  return rowsOf(tax).map(({ comparison }) => comparison?.verdict ?? null);
};

describe('the price of a process manager', () => {
  test('is what a target costs more than with plain node, within launches', () => {
    const [fast, slow] = taxesOf() ?? [];
    expect([fast, slow].map((tax) => tax?.target.name)).toEqual(['fast', 'slow']);
    // The difference grows with the pace of the machine, 1, 1.1 and 1 in the launches; the ratio does not.
    const more = (us: number, times: number, verdict: string) => ({
      difference: { value: expect.closeTo((us * 3100) / 3, 6) },
      ratio: { value: expect.closeTo(times, 6) },
      verdict,
    });
    expect(rowsOf(fast)).toMatchObject([
      { id: 'single', comparison: null },
      { id: 'fork', comparison: more(0, 1, 'same') },
      { id: '1', comparison: more(0.6, 1.06, 'slower') },
      { id: 'pmx:1', comparison: more(0.9, 1.09, 'slower') },
      { id: 'cluster:1', comparison: more(-1, 0.9, 'faster') },
    ]);
    expect(rowsOf(slow)[2]).toMatchObject({ comparison: more(1.2, 1.06, 'slower') });
  });

  test('has plain node as its base wherever that is named', () => {
    const [tax] = taxesOf({ options: { topologies: ['pmx:1', 'single', 'fork'] } }) ?? [];
    expect(rowsOf(tax).map(({ id }) => id)).toEqual(['pmx:1', 'single', 'fork']);
    expect(verdictsOf(tax)).toEqual(['slower', null, 'same']);
    expect(taxesOf({ options: { topologies: ['fork', 1] } })).toBeNull();
  });

  test('is read under the cost load, whatever else is measured', () => {
    const taxes = taxesOf({ options: { connections: 50 }, suite: frameworks }) ?? [];
    const loads = taxes.flatMap(({ rows }) => rows.map(({ summary }) => summary.cell.load));
    expect(loads).toEqual(['cost', 'cost']);
  });

  const all = [null, 'same', 'slower', 'slower', 'faster'];
  const none = [null, null, null, null, null];
  const failed = (server: string): Parameters<typeof taxesOf> => [{ failures: failuresOf(server) }];
  test.each<[string, Parameters<typeof taxesOf>, fast: unknown[], slow: unknown[]]>([
    ['a server that failed', failed('fast/pmx:1'), all.with(3, null), all],
    ['plain node failed', failed('fast/single'), none, all],
    ['the run did not get to anything', [{}, () => null], none, none],
  ])('is unknown with %s, which still has a row', (_, given, ...expected) => {
    expect(taxesOf(...given)?.map(verdictsOf)).toEqual(expected);
  });
});
