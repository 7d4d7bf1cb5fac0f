import type { Aspect } from '../figures/figures.ts';
import { badResponse, censored, ledger, little } from './answers.ts';
import type { CellContext } from './context.ts';
import { idleUse, inconclusive, noisyHost, notQuiet, otherRun } from './noise.ts';
import { backlog, dropped, generatorLost, late } from './pace.ts';
import { failed, impossible, sharedCpu, spread, throttled, topology } from './processes.ts';
import { generatorBound, headroom, regime, unsaturated } from './saturation.ts';
import { unsettled, unsteady } from './steadiness.ts';

/** How a flag is found, and what it does to the figures of its cell; without either it only asks for caution. */
interface Rule {
  /** Figures that are wrong. */
  invalid?: readonly Aspect[];
  /** Figures that are right, but have no rank and no verdict. */
  unranked?: readonly Aspect[];
  /** What was seen, in base units and shares; null where nothing is wrong. */
  check: (context: CellContext) => { code: string } | null;
}

const COUNTED = ['throughput', 'latency', 'cpu'] as const;
const ALL = [...COUNTED, 'memory'] as const;

const RULES = {
  BAD_RESPONSE: { invalid: ALL, check: badResponse },
  LEDGER: { invalid: COUNTED, check: ledger },
  GENERATOR_LOST: { invalid: COUNTED, check: generatorLost },
  LITTLE: { invalid: ['latency'], check: little },
  TOPOLOGY: { invalid: ['throughput', 'latency'], check: topology },
  IMPOSSIBLE: { invalid: ['cpu'], check: impossible },
  UNSETTLED: { unranked: COUNTED, check: unsettled },
  OTHER_RUN: { unranked: ALL, check: otherRun },
  FAILED: { check: failed },
  GENERATOR_BOUND: { check: generatorBound },
  HEADROOM: { check: headroom },
  UNSATURATED: { check: unsaturated },
  SHARED_CPU: { check: sharedCpu },
  SPREAD: { check: spread },
  CENSORED: { check: censored },
  LATE: { check: late },
  DROPPED: { check: dropped },
  BACKLOG: { check: backlog },
  THROTTLED: { check: throttled },
  UNSTEADY: { check: unsteady },
  NOT_QUIET: { check: notQuiet },
  IDLE_USE: { check: idleUse },
  NOISY_HOST: { check: noisyHost },
  INCONCLUSIVE: { check: inconclusive },
} satisfies Record<string, Rule>;

/** A named reason not to trust a cell, or a pair of cells (`REGIME`), with its evidence. */
export type Flag = NonNullable<
  ReturnType<(typeof RULES)[keyof typeof RULES]['check'] | typeof regime>
>;
export type Code = Flag['code'];

/** The flags of a cell, those that make figures invalid first; without slices it can only have `FAILED`. */
export function flagsOf(cell: CellContext): Flag[] {
  const rules = cell.slices.length > 0 ? Object.values(RULES) : [RULES.FAILED];
  return rules.map(({ check }) => check(cell)).filter((flag) => flag !== null);
}

/** The flags of a comparison of the CPU per request of two cells; none where one has no slices. */
export function flagsOfPair(cell: CellContext, other: CellContext): Flag[] {
  if (cell.slices.length === 0 || other.slices.length === 0) return [];
  const flag = regime(cell, other);
  return flag === null ? [] : [flag];
}

/** What flags do to figures; `REGIME` does nothing. */
const EFFECTS: Partial<Record<Code, Rule>> = RULES;

/** The figures of its cell that a flag makes wrong. */
export function invalidates({ code }: Pick<Flag, 'code'>): readonly Aspect[] {
  return EFFECTS[code]?.invalid ?? [];
}

/** Whether one of these flags of a cell makes this figure wrong. */
export function isInvalid(flags: readonly Flag[], aspect: Aspect): boolean {
  return flags.some((flag) => invalidates(flag).includes(aspect));
}

/** Whether one of these flags of a cell takes rank and verdict from this figure. */
export function isSpoiled(flags: readonly Flag[], aspect: Aspect): boolean {
  return spoiling(flags, aspect).length > 0;
}

/** Flags that take rank and verdict from a figure: the last one of each code, in the order in which codes appear. */
export function spoiling(flags: readonly Flag[], aspect: Aspect): Flag[] {
  const all = flags.filter((flag) => {
    const { unranked = [] } = EFFECTS[flag.code] ?? {};
    return [...invalidates(flag), ...unranked].includes(aspect);
  });
  return [...new Map(all.map((flag) => [flag.code, flag])).values()];
}
