import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../src/record/record.ts';
import type { Section } from '../../../src/report/document.ts';
import { rateSections } from '../../../src/report/sections/rate.ts';
import type { Rate, TopologyName } from '../../../src/request/option-values.ts';
import { ratesOf } from '../../../src/suites/rates.ts';
import {
  type Happened,
  makeRecord,
  makeTarget,
  type STACK,
  type Story,
} from '../../support/make-record.ts';
import { summariesOf } from '../../support/summaries.ts';
import { shown } from '../look.ts';
import { rowsOf } from '../rows-of.ts';

const at = (...perS: number[]): Rate[] => {
  return perS.map((each) => ({ kind: 'per second', perS: each }));
};

/** Of a second at a rate: so much of a core, and so many MB. */
const second = (core: number, mb: number, manager = { core: 0, mb: 0 }) => ({
  ns: 1e9,
  cpuNs: { server: core * 1e9, manager: manager.core * 1e9 },
  bytes: { server: mb * 1e6, manager: manager.mb * 1e6 },
  services: {},
});

const usual: Story = ({ target, topology }) => {
  const manager = topology === 'single' ? { core: 0, mb: 0 } : { core: 0.01, mb: 60 };
  const share = { floor: 0.05, middle: 0.1, top: 0.2 }[target] ?? 0;
  return {
    ...{ ok: 500, latenciesMs: [1], cpuUsPerResponse: share * 2000 },
    series: [second(share, share * 1000, manager)],
  };
};

interface Parts {
  rates?: Rate[];
  topologies?: TopologyName[];
  targets?: typeof STACK;
  failures?: Failure[];
  driver?: string;
}

function sectionsOf(story: Story = usual, parts: Parts = {}): Section[] {
  const { rates = at(500), topologies = ['single'], driver = 'pacer', ...rest } = parts;
  const record = makeRecord(
    {
      suite: ratesOf('frameworks'),
      options: { rates, topologies, driver, launches: 3, durationS: 3 },
      ...rest,
    },
    story,
  );
  const { rates: summary } = summariesOf(record);
  if (summary === null) throw new Error('the record is of no rate');
  return rateSections(summary);
}

/** The first of the sections. */
function sectionOf(...of: Parameters<typeof sectionsOf>): Section {
  const [section] = sectionsOf(...of);
  if (section === undefined) throw new Error('there is no section');
  return section;
}

function textsOf(...of: Parameters<typeof sectionsOf>): string[] {
  return sectionsOf(...of).map((each) => shown(each));
}

/** These servers failed in each of the three launches. */
const died = (...servers: string[]): Failure[] => {
  return servers.flatMap((server) => {
    return [0, 1, 2].map((launch): Failure => {
      return { server, launch, when: 'slice', message: '', logTail: [], died: true };
    });
  });
};

describe('the table of a single rate', () => {
  test('has a row for each target, with what it uses', () => {
    const [text, ...more] = textsOf();
    expect(more).toEqual([]);
    expect(text).toMatch(/^At 500 requests\/s\n/);
    expect(rowsOf(sectionOf())).toEqual([
      ['floor', '1.00', '1.00', '1.00', '100.00 ±0.00', '5.00', '50.0'],
      ['middle', '1.00', '1.00', '1.00', '200.00 ±0.00', '10.0', '100'],
      ['top', '1.00', '1.00', '1.00', '400.00 ±0.00', '20.0', '200'],
    ]);
  });

  test('names the topologies where there are several, and shows managers where there are any', () => {
    const rows = rowsOf(sectionOf(usual, { topologies: ['single', 2] }));
    expect(rows.map(([name]) => name)).toEqual([
      ...['floor (single)', 'middle (single)', 'top (single)'],
      ...['floor (2)', 'middle (2)', 'top (2)'],
    ]);
    expect(rows[0]?.slice(5)).toEqual(['5.00', '50.0', '–', '–']);
    expect(rows[3]?.slice(5)).toEqual(['5.00', '50.0', '1.00', '60.0']);
  });

  test('says what the same requests take of the one that uses least, and of the one that uses most', () => {
    expect(textsOf()[0]).toContain(
      'The same 500 requests a second take 5.00 % of a core and 50.0 MB with floor, and 20.0 % of a core and 200 MB with top. ',
    );
    expect(textsOf(usual, { topologies: [2] })[0]).toContain(
      'take 6.00 % of a core and 110 MB with floor and its manager, and ',
    );
    expect(textsOf(usual, { targets: [makeTarget('floor')] })[0]).toContain(
      'The same 500 requests a second take 5.00 % of a core and 50.0 MB with floor. ',
    );
  });

  test('says so of a server that failed, and leaves what is unknown open', () => {
    const story: Story = (cell, ...when) => {
      const happened = usual(cell, ...when);
      return cell.target === 'top' ? { ...happened, series: [] } : happened;
    };
    const section = sectionOf(story, { failures: died('middle/single') });
    const [, failed, unseen] = rowsOf(section);
    expect(failed).toEqual(['middle', 'failed', 'failed', 'failed', '–', '–', '–', 'a']);
    expect(unseen?.slice(4)).toEqual(['400.00 ±0.00', '–', '–', '–']);
    expect(shown(section)).toContain('with floor. ');
  });

  test('has no invalid figure in its sentence', () => {
    const story: Story = (cell, ...when) => {
      const happened = usual(cell, ...when);
      return cell.target === 'top' ? { ...happened, wrongBody: 1 } : happened;
    };
    expect(textsOf(story)[0]).toContain('and 10.0 % of a core and 100 MB with middle. ');
  });

  test('says what a latency is of, whoever sends', () => {
    expect(textsOf()[0]).toContain('latency counts from there. ');
    const [table] = textsOf(usual, { driver: 'k6' });
    expect(table).toMatch(/^At 500 requests\/s by k6\n/);
    expect(table).toContain(
      'latency counts from there; once k6 has dropped one, from when each left. ',
    );
  });

  test('is none where nothing was reached', () => {
    expect(textsOf(() => null)).toEqual(['At 500 requests/s\nNothing was measured here.']);
  });
});

describe('the page of several rates', () => {
  /** Latency that doubles from rate to rate, with a knee at 200. */
  const LATENCIES: Record<string, number> = {
    ...{ 'rate-100': 1, 'rate-200': 1.2, 'rate-300': 4, 'rate-400': 30 },
  };
  const rising: Story = (cell, ...when) => {
    const latenciesMs = [LATENCIES[cell.load] ?? 0];
    const happened: Happened = { ...usual(cell, ...when), latenciesMs };
    return happened;
  };
  const rates = at(400, 100, 300, 200);

  test('has a table of p50, of p99 and of CPU, with a row for each rate and a column for each target', () => {
    const page = sectionOf(rising, { rates });
    expect(shown(page)).toMatch(/^Latency and CPU by rate, as single processes\n/);
    const tables = page.blocks.filter((block) => block.kind === 'table');
    const names = ['floor', 'middle', 'top'].map((name) => ({ name }));
    expect(tables.map(({ columns }) => columns.map(({ head }) => head))).toEqual([
      ['p50 ms\nby requests/s', ...names],
      ['p99 ms\nby requests/s', ...names],
      ['CPU µs/request\nby requests/s', ...names],
    ]);
    for (const { rows } of tables) {
      expect(rows.map(([rate]) => rate)).toEqual(['100', '200', '300', '400']);
    }
  });

  test('marks the knee of each target, and tells it', () => {
    const section = sectionOf(rising, { rates });
    const [, knee] = rowsOf(section);
    const page = shown(section);
    expect(knee).toEqual(['200', '▸ 1.20', '▸ 1.20', '▸ 1.20']);
    expect(page.match(/▸ \d/g)).toHaveLength(9);
    expect(page).toContain(': floor at 200/s; middle at 200/s; top at 200/s.');
  });

  test('tells of knees that may be beyond, that there are none, and of what was not measured', () => {
    const flat: Story = ({ target, load }) => {
      if (target === 'top') return null;
      const at300 = target === 'middle' ? 50 : 1;
      return { ok: 10, latenciesMs: [load === 'rate-100' ? 1 : at300] };
    };
    expect(textsOf(flat, { rates: at(100, 200, 300) })[0]).toContain(
      ': floor at 300/s or above; middle at 100/s or below; top was not measured.',
    );
    expect(textsOf(rising, { rates: at(100, 200) })[0]).toContain(
      ': floor has none among these rates; ',
    );
  });

  test('is one for each topology', () => {
    const pages = textsOf(rising, { rates, topologies: ['single', 2] });
    expect(pages.map((page) => page.split('\n')[0])).toEqual([
      'Latency and CPU by rate, as single processes',
      'Latency and CPU by rate, as pm2 clusters of 2',
    ]);
  });

  describe('tells of a flag which rates of which targets have it', () => {
    /** The page where the generator drops a request for these targets at these rates. */
    const dropping = (places: Record<string, number[]>): Section => {
      const story: Story = (cell, ...when) => {
        const isIt = places[cell.target]?.includes(Number(cell.load.replace('rate-', '')));
        return { ...rising(cell, ...when), pace: { dropped: isIt ? 1 : 0 } };
      };
      return sectionOf(story, { rates });
    };
    const footnote = (page: Section) => /^([a-z]) DROPPED (.*)$/m.exec(shown(page)) ?? [];

    test.each([
      ['one rate', { top: [200] }, 'top at 200/s: 3 of '],
      ['some rates', { top: [100, 300] }, 'top at 100 and 300/s; for example top at 300/s: 3 of '],
      [
        'a rate and all above',
        { top: [300, 400] },
        'top from 300/s on; for example top at 400/s: 3 of ',
      ],
      ['the highest', { top: [400] }, 'top at 400/s: 3 of '],
      [
        'every one',
        { top: [100, 200, 300, 400] },
        'top at every rate; for example top at 400/s: 3 of ',
      ],
      [
        'some of several targets',
        { floor: [300, 400], middle: [100], top: [300, 400] },
        'floor and top from 300/s on; middle at 100/s; for example top at 400/s: 3 of ',
      ],
    ])('%s', (_, places, text) => {
      expect(footnote(dropping(places))[2]).toMatch(text);
    });

    test('and in the tables the rates that any target has it at, once', () => {
      const page = dropping({ floor: [300, 400], top: [400] });
      const [, letter] = footnote(page);
      const shown = rowsOf(page).map((row) => row.at(-1));
      expect(shown).toEqual(['–', '–', letter, letter]);
    });
  });

  test('says so of a server that failed', () => {
    const page = sectionOf(rising, { rates, failures: died('middle/single') });
    expect(rowsOf(page)[0]?.slice(0, 4)).toEqual(['100', '1.00', 'failed', '1.00']);
    expect(shown(page)).toContain('; middle was not measured; ');
  });

  test('is none where nothing was reached', () => {
    const heading = 'Latency and CPU by rate, as single processes';
    expect(textsOf(() => null, { rates })).toEqual([`${heading}\nNothing was measured here.`]);
  });

  test.each([80, 160])('shows six targets at eight rates within a page of %d columns', (width) => {
    const names = ['Express', 'Fastify', 'Nest + Express', 'Nest + Fastify', 'node:http', 'Koa'];
    const targets = names.map((label, index) => makeTarget(`t${index}`, { label }));
    const story: Story = () => ({ ok: 400, latenciesMs: [12], cpuUsPerResponse: 123.4 });
    const eight = at(1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000);
    const lines = shown(sectionOf(story, { targets, rates: eight }), width).split('\n');
    expect(lines.length).toBeLessThanOrEqual(70);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  });
});

describe('where overheads are not told', () => {
  const busy: Story = ({ target }) => {
    return { ok: 500, latenciesMs: [1], cpuUsPerResponse: target === 'top' ? 600 : 300 };
  };
  const why = /^Overhead\n.*busy for less than 25 % of the time/;

  test('it is said why', () => {
    expect(textsOf(busy)[1]).toMatch(why);
    expect(textsOf(busy, { rates: at(500, 600) })[1]).toMatch(why);
  });

  test('nothing is said where none could be told', () => {
    expect(textsOf(busy, { topologies: [2] })).toHaveLength(1);
    expect(textsOf(busy, { targets: [makeTarget('floor')] })).toHaveLength(1);
    expect(textsOf()).toHaveLength(1);
  });
});
