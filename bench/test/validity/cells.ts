import { expect, test } from 'vitest';
import { type Cell, cellOf } from '../../src/plan/plan.ts';
import { contextOf } from '../../src/validity/context.ts';
import { type Code, type Flag, flagsOf } from '../../src/validity/flags.ts';
import { type Happened, makeMachine, makeRecord, type Story } from '../support/make-record.ts';

/** Nothing is wrong: 98 % of a core is used, the generator is idle for a fifth, and Little's law holds for the 1,000. */
export const HEALTHY: Happened = {
  ok: 98_000,
  inFlight: 1000,
  latenciesMs: [1000 / 98],
  cpuUsPerResponse: 10,
  turns: { all: 400_000, empty: 250_000, idleNs: 195000000 },
  system: {},
};

export const TWO_CORES = makeMachine({ cores: [0, 1], parallelism: 2 });

type RecordParts = Parameters<typeof makeRecord>[0];

/** A record of three launches of three rounds on two cores, where nothing else is said. */
export function recordOf(story: Story, { options = {}, ...parts }: RecordParts = {}) {
  const rounds = { launches: 3, durationS: 9 };
  return makeRecord({ machine: TWO_CORES, options: { ...rounds, ...options }, ...parts }, story);
}

export function onceIn(happened: Happened) {
  return (launch: number, round: number): Happened => (launch === 1 && round === 2 ? happened : {});
}

/** What happened in the slices of a cell, with the parts of its record and its id. */
export type When = Parameters<typeof flagsWhen>;

/** The flags of a single process under the published load where slices differ so from healthy ones. */
export function flagsWhen(
  happened: Happened | ((launch: number, round: number, cell: Cell) => Happened),
  parts: RecordParts = {},
  id = 'floor/single/published',
): Flag[] {
  const happenedIn = typeof happened === 'object' ? () => happened : happened;
  const story: Story = (cell, launch, round) => {
    return { ...HEALTHY, ...happenedIn(launch, round, cell) };
  };
  const record = recordOf(story, parts);
  return flagsOf(contextOf(record, cellOf(record.plan, id)));
}

export function flagIn<C extends Code>(flags: Flag[], code: C): Extract<Flag, { code: C }> | null {
  const isIt = (flag: Flag): flag is Extract<Flag, { code: C }> => flag.code === code;
  return flags.find(isIt) ?? null;
}

export function flagWhen<C extends Code>(code: C, ...when: When) {
  return flagIn(flagsWhen(...when), code);
}

/** The evidence of a flag where this happened, all but its code; null where it is silent. */
export type Row = [where: string, evidence: object | null, ...when: When];

/** Tests a flag in each of these cases, of these records and cells unless they say otherwise. */
export function testFlag(code: Code, rows: Row[], usual: RecordParts = {}, usualId?: string): void {
  test.each(rows)(`${code} where %s: %o`, (_, evidence, happened, parts = usual, id = usualId) => {
    expect(flagWhen(code, happened, parts, id)).toEqual(evidence && { code, ...evidence });
  });
}

export function about(value: number, digits = 4) {
  return expect.closeTo(value, digits);
}
