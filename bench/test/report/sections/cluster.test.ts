import { describe, expect, test } from 'vitest';
import type { Section } from '../../../src/report/document.ts';
import { notedIn } from '../../../src/report/section.ts';
import {
  clusterText,
  overloadSection,
  scalingSection,
} from '../../../src/report/sections/cluster.ts';
import { renderSections } from '../../../src/report/text.ts';
import { failuresOf } from '../../support/failures.ts';
import { makeClusterRecord, SERVICE_MS } from '../../support/make-cluster-record.ts';
import { type Happened, makeMachine, otherwise, type Story } from '../../support/make-record.ts';
import { summariesOf } from '../../support/summaries.ts';
import { plain, shown } from '../look.ts';

const WINDOW_S = 10;
const ages = (count: number, ms: number) => Array.from({ length: count }, () => ms);

function answering(perS: number): Happened {
  return { ok: Math.round(perS * WINDOW_S), windowS: WINDOW_S, cpuUsPerResponse: 97_000 };
}

const GIVEN_UP = ages(10_000, 10_000);
const WAITING = ages(10_000, 2000);

/** So many answers after such times, of 20,000 requests of which half were given up after 10 s. */
function overloaded(ok: number, meanMs: number): Happened {
  return {
    ...{ ok, windowS: 12, latenciesMs: [meanMs], cpuUsPerResponse: 9_000_000 / ok },
    ...{ timedOut: 10_000, lostAgesMs: GIVEN_UP, inFlight: 10_000 - ok },
    inFlightAgesMs: WAITING.slice(ok),
  };
}

/** 97 % of the bound under the feasible load; under the overload answers that grow with the processes. */
const usual: Story = ({ topology, load }) => {
  const processes = topology === 'single' ? 1 : Number(topology.replace(/\D+/, ''));
  if (load === 'alone') return { ...answering(10), latenciesMs: [SERVICE_MS] };
  if (load === 'overload') return overloaded(20 * processes, 5000 + 100 * processes);
  return answering(9.7 * Math.min(processes, 4));
};

type Parts = Parameters<typeof makeClusterRecord>[1];

function summariesIn(story: Story, parts: Parts) {
  const { scaling, overload } = summariesOf(makeClusterRecord(story, parts));
  if (scaling === null || overload === null) throw new Error('the record is of no cluster');
  return { scaling, overload };
}

function tableOf(parts: Parts = {}, story = usual): Section {
  return scalingSection(summariesIn(story, parts).scaling);
}

test('a table has columns of managers and speed-ups only where they say something', () => {
  expect(shown(tableOf({ topologies: ['single'] }))).not.toContain('manager');
  expect(shown(tableOf({ topologies: [2, 4] }))).not.toContain('speed-up');
});

test('a table has the columns that it had without a server that failed', () => {
  const failures = failuresOf('fib/2');
  expect(shown(tableOf({ failures }))).toContain('ms/request');
  const { overload } = summariesIn(usual, { failures });
  const [, heads] = shown(overloadSection(overload, true)).split('\n');
  expect(heads).not.toContain('launches');
});

test('a table says how well the time of a request alone is known by its interval, and by no flag', () => {
  // A single launch tells nothing for sure.
  const options = { launches: 1 };
  expect(notedIn(tableOf({ options }))).toContain('INCONCLUSIVE');
  const alone = otherwise(usual, ({ load }) => load !== 'alone', null);
  expect(notedIn(tableOf({ options }, alone))).not.toContain('INCONCLUSIVE');
});

describe('the text on how many processes', () => {
  function textOf(parts: Parts = {}, story: Story = usual): string {
    const { scaling, overload } = summariesIn(story, parts);
    return renderSections(clusterText(scaling, overload), plain(100_000));
  }
  const at = (load: string, of: (topology: string, launch: number) => Happened | null): Story => {
    return (cell, launch, round) => {
      return cell.load === load ? of(cell.topology, launch) : usual(cell, launch, round);
    };
  };
  const shaky = at('feasible', (topology, launch) => {
    return answering(topology === 'single' ? 5 : 5 + 3 * launch);
  });
  const inWidest = (other: Happened) => otherwise(usual, ({ topology }) => topology === '4', other);
  const TWO_CORES = { machine: makeMachine({ cores: [0, 1], parallelism: 2 }) };

  const once = at('overload', (topology, launch) => {
    if (topology !== 'single') return overloaded(30, 6000);
    return launch === 0 ? overloaded(1, 3000) : null;
  });

  test.each<[string, Parts, Story]>([
    [
      'so 1 core can answer at most 10.0 requests/s,',
      { topologies: ['single'], ...TWO_CORES },
      usual,
    ],
    ['with 0.08 answers/s against 2.50:', { topologies: ['single', 2] }, once],
  ])('says "%s"', (text, parts, story) => {
    expect(textOf(parts, story)).toContain(text);
  });

  const singleIs = (single: Happened) => {
    return at('overload', (topology) => (topology === 'single' ? single : overloaded(30, 3000)));
  };
  const unanswered = { ...overloaded(20, 6000), ok: 0, latenciesMs: [] };

  test.each([
    ['is slower by it too', overloaded(20, 6000)],
    ['answered nobody', unanswered],
  ])('does not go by the mean of answered requests where a single process %s', (_, single) => {
    expect(textOf({}, singleIs(single))).not.toContain('would beat');
  });

  const UNKNOWN = 'How many processes to run is not known: ';

  test.each<[string, Parts, Story]>([
    [
      'Run 2 processes, one per usable core: fewer answer less, and more have no valid figure.',
      TWO_CORES,
      inWidest({ wrongBody: 1 }),
    ],
    ['Run 1 process: more were not shown to answer more.', {}, at('feasible', () => answering(9))],
    [
      'Run 2 processes (pm2 cluster mode): fewer answer less, and more were not tried.',
      { topologies: ['single', 1, 2, 'cluster:2'] },
      usual,
    ],
    [
      `${UNKNOWN}4 processes seemed to answer 1.52 times as much as 1 process, which may be chance; more launches ` +
        '(--launches) can tell.',
      { topologies: ['single', 4] },
      shaky,
    ],
    [
      `${UNKNOWN}the generator was the limit of some, which may answer more.`,
      { topologies: ['single', 4] },
      inWidest({ turns: { all: 30_000, empty: 29_900, idleNs: 2e7 } }),
    ],
    [`${UNKNOWN}only one number of processes was measured.`, { topologies: ['single', 1] }, usual],
    [`${UNKNOWN}one launch is not enough.`, { options: { launches: 1 } }, usual],
  ])('ends with "%s"', (text, parts, story) => {
    expect(textOf(parts, story).endsWith(text)).toBe(true);
  });
});
