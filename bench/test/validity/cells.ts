import { cellOf } from '../../src/plan/plan.ts';
import { type Code, type Flag, flagsOf } from '../../src/validity/flags.ts';
import { type Happened, makeMachine, makeRecord, type Story } from '../support/make-record.ts';

/**
 * A slice about which nothing is wrong: 98,000 requests/s for 98 % of a core; the generator idle for a
 * fifth of the time; and 1,000 requests under way, as Little's law has it for this latency.
 */
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

/** What happens in a single slice. */
export function onceIn(happened: Happened) {
  return (launch: number, round: number): Happened => (launch === 1 && round === 2 ? happened : {});
}

/** The flags of a single process under the published load whose slices differ so from healthy ones. */
export function flagsWhen(
  happened: Happened | ((launch: number, round: number) => Happened),
  parts: RecordParts = {},
  id = 'floor/single/published',
): Flag[] {
  const story: Story = (_cell, launch, round) => {
    return { ...HEALTHY, ...(typeof happened === 'object' ? happened : happened(launch, round)) };
  };
  const record = recordOf(story, parts);
  return flagsOf(record, cellOf(record.plan, id));
}

/** The flag of this code. */
export function flagIn<C extends Code>(flags: Flag[], code: C): Extract<Flag, { code: C }> | null {
  const isIt = (flag: Flag): flag is Extract<Flag, { code: C }> => flag.code === code;
  return flags.find(isIt) ?? null;
}

/** The flag of this code among those of `flagsWhen`. */
export function flagWhen<C extends Code>(code: C, ...when: Parameters<typeof flagsWhen>) {
  return flagIn(flagsWhen(...when), code);
}
