import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../src/record/record.ts';
import type { Section } from '../../../src/report/document.ts';
import { scalingSection } from '../../../src/report/sections/scaling.ts';
import { makeClusterRecord, SERVICE_MS } from '../../support/make-cluster-record.ts';
import { makeTarget, type Story } from '../../support/make-record.ts';
import { summariesOf } from '../../support/summaries.ts';
import { shown } from '../look.ts';
import { rowsOf } from '../rows-of.ts';

const WINDOW_S = 10;
const usual: Story = ({ topology, load }) => {
  if (load === 'overload') return null;
  const of = { windowS: WINDOW_S, cpuUsPerResponse: 97_000 };
  if (load === 'alone') return { ...of, ok: 100, latenciesMs: [SERVICE_MS] };
  const processes = topology === 'single' ? 1 : Number(topology);
  const managerBytes = topology === 'single' ? 0 : 61e6;
  const perS = 9.6 * processes;
  return { ...of, ok: perS * WINDOW_S, latenciesMs: [16_000 / perS], managerBytes };
};

type Parts = Parameters<typeof makeClusterRecord>[1];

function sectionOf(parts: Parts = {}, story: Story = usual): Section {
  const { scaling, conditions } = summariesOf(makeClusterRecord(story, parts));
  if (scaling === null) throw new Error('the record has no feasible load');
  const alone = conditions.flatMap(({ load, cells }) => (load.id === 'alone' ? cells : []));
  return scalingSection(scaling, alone);
}

function tableOf(...of: Parameters<typeof sectionOf>): string {
  return shown(sectionOf(...of));
}

test('what is predicted stands beside what is measured, from the fewest processes to the most', () => {
  const section = sectionOf({ topologies: [4, 'single', 2] });
  expect(rowsOf(section).map((row) => row.slice(0, 4))).toEqual([
    ['single', '≤ 10.0', '9.60 ±0.00', '96.0 % [96.0, 96.0]'],
    ['2', '≤ 20.0', '19.20 ±0.00', '96.0 % [96.0, 96.0]'],
    ['4', '≤ 40.0', '38.40 ±0.00', '96.0 % [96.0, 96.0]'],
  ]);
  expect(shown(section)).toMatch(/^Feasible load: 16 requests under way, .* \(-c 16 -p 1\)\n/);
});

describe('a row says what there is', () => {
  test('of a server that failed in each launch, no figure', () => {
    const failures = [0, 1, 2].map((launch): Failure => {
      const when = { launch, when: 'slice' } as const;
      return { server: 'fib/2', ...when, message: '', logTail: [], died: true };
    });
    const [, failed] = rowsOf(sectionOf({ failures }));
    expect(failed).toEqual([
      ...['2', '≤ 20.0', 'failed', '–', '–', '–', '≥ 800'],
      ...['–', '–', '–', '–', '–', '–', '–', 'a'],
    ]);
  });

  test('of what the run did not get to, that it did not', () => {
    const story: Story = (cell, ...when) => (cell.topology === '4' ? null : usual(cell, ...when));
    expect(rowsOf(sectionOf({}, story)).at(-1)).toContain('not reached');
  });

  test('of several targets, whose it is', () => {
    const targets = [makeTarget('one', { label: 'First' }), makeTarget('two', { label: 'Second' })];
    const names = rowsOf(sectionOf({ targets, topologies: ['single', 2] })).map(([name]) => name);
    expect(names).toEqual(['First (single)', 'First (2)', 'Second (single)', 'Second (2)']);
  });
});

test('nothing is shown of a manager where there is none', () => {
  expect(tableOf()).toContain('manager');
  expect(tableOf({ topologies: ['single'] })).not.toContain('manager');
});

test('there is no speed-up where there is no single process', () => {
  expect(tableOf()).toContain('speed-up');
  expect(tableOf({ topologies: [2, 4] })).not.toContain('speed-up');
});

test('CPU is in ms, or in µs where that suits one of the targets', () => {
  expect(tableOf()).toContain('ms/request');
  const targets = [makeTarget('slow'), makeTarget('quick')];
  const story: Story = (cell, ...when) => {
    const happened = usual(cell, ...when);
    return cell.target === 'quick' ? { ...happened, cpuUsPerResponse: 21 } : happened;
  };
  const table = tableOf({ targets }, story);
  expect(table).toContain('µs/request');
  expect(table).toContain('97,000.00 ±0.00');
});

describe('the sentence on the service time', () => {
  test('says that it is what a request takes alone', () => {
    expect(tableOf()).toContain(
      'A request alone takes 100.00 ±0.00 ms, nearly all of it on the CPU',
    );
  });

  test('says why it is the CPU time under load', () => {
    const story: Story = (cell, ...when) => {
      const happened = usual(cell, ...when);
      return cell.load === 'alone' ? { ...happened, cpuUsPerResponse: 5000 } : happened;
    };
    const table = tableOf({}, story);
    expect(table).toMatch(
      /A request alone is on the CPU for only 5\.\d+ % of the time that it takes/,
    );
    expect(table).toContain('the CPU time of one under this load, 97.00 ±0.00 ms.');
  });

  test('says where nothing was measured alone', () => {
    const without = (load: string): Story => {
      return (cell, ...when) => (cell.load === load ? null : usual(cell, ...when));
    };
    expect(tableOf({}, without('alone'))).toContain(
      'A request was not measured alone, so its service time is the CPU time of one under this load, 97.00 ±0.00 ms.',
    );
    const single: Story = (cell, ...when) => {
      return cell.topology === 'single' ? null : usual(cell, ...when);
    };
    expect(tableOf({}, single)).toContain('A request was not measured alone. Predicted');
  });

  test('is told of each target', () => {
    const targets = [makeTarget('one', { label: 'First' }), makeTarget('two', { label: 'Second' })];
    const table = tableOf({ targets });
    expect(table).toContain('A request to First alone takes');
    expect(table).toContain('A request to Second alone takes');
  });
});

test('what is wrong with the requests alone is told too', () => {
  const story: Story = (cell, ...when) => {
    const happened = usual(cell, ...when);
    return cell.load === 'alone' ? { ...happened, wrongBody: 3 } : happened;
  };
  expect(tableOf({}, story)).toMatch(
    /BAD_RESPONSE \(invalid [^)]+\) requests alone to fib: 18 of /,
  );
});

test('the sentence says how well the time of a request alone is known, and no flag', () => {
  // A single launch tells nothing for sure.
  const { flags } = sectionOf({ options: { launches: 1 } });
  expect(flags).toContain('INCONCLUSIVE');
  const alone: Story = (cell, ...when) => (cell.load === 'alone' ? usual(cell, ...when) : null);
  expect(sectionOf({ options: { launches: 1 } }, alone).flags).not.toContain('INCONCLUSIVE');
});

test('where nothing was reached there is no table', () => {
  const table = tableOf({}, () => null);
  expect(table.split('\n')).toEqual([
    expect.stringMatching(/^Feasible load/),
    'Nothing was measured here.',
  ]);
});
