import type { Cell } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { badResponse, censored, ledger, little } from './answers.ts';
import { type CellContext, contextOf } from './context.ts';
import { idleUse, notQuiet } from './idle.ts';
import { throttled } from './limit.ts';
import { inconclusive, noisyHost, otherRun, unsettled, unsteady } from './noise.ts';
import { backlog, dropped, generatorLost, late } from './pace.ts';
import { failed, impossible, sharedCpu, spread, topology } from './processes.ts';
import { generatorBound, headroom, regime, unsaturated } from './saturation.ts';

/** What of a cell's figures a flag can be about. */
export type Aspect = 'throughput' | 'latency' | 'cpu' | 'memory';

/** An invalid figure is wrong; with a caution it is right, and says less than it seems to. */
export type Severity = 'invalid' | 'caution';

/** How a flag is found, in a cell or in a pair of them. */
interface Rule<Of extends CellContext[]> {
  severity: Severity;
  /** The figures that have no rank and no verdict for it. */
  spoils: readonly Aspect[];
  /** What was seen, in base units and shares; null where it is not so. */
  check: (...of: Of) => { code: string } | null;
}

const CAUTION = { severity: 'caution', spoils: [] } as const;
const ALL = ['throughput', 'latency', 'cpu', 'memory'] as const;

const PAIR_RULES = {
  REGIME: { ...CAUTION, check: regime },
} satisfies Record<string, Rule<[CellContext, CellContext]>>;

const CELL_RULES = {
  BAD_RESPONSE: { severity: 'invalid', spoils: ALL, check: badResponse },
  LEDGER: { severity: 'invalid', spoils: ['throughput', 'latency', 'cpu'], check: ledger },
  GENERATOR_LOST: {
    severity: 'invalid',
    spoils: ['throughput', 'latency', 'cpu'],
    check: generatorLost,
  },
  LITTLE: { severity: 'invalid', spoils: ['latency'], check: little },
  TOPOLOGY: { severity: 'invalid', spoils: ['throughput', 'latency'], check: topology },
  IMPOSSIBLE: { severity: 'invalid', spoils: ['cpu'], check: impossible },
  UNSETTLED: { severity: 'caution', spoils: ['throughput', 'latency', 'cpu'], check: unsettled },
  OTHER_RUN: { severity: 'caution', spoils: ALL, check: otherRun },
  FAILED: { ...CAUTION, check: failed },
  GENERATOR_BOUND: { ...CAUTION, check: generatorBound },
  HEADROOM: { ...CAUTION, check: headroom },
  UNSATURATED: { ...CAUTION, check: unsaturated },
  SHARED_CPU: { ...CAUTION, check: sharedCpu },
  SPREAD: { ...CAUTION, check: spread },
  CENSORED: { ...CAUTION, check: censored },
  LATE: { ...CAUTION, check: late },
  DROPPED: { ...CAUTION, check: dropped },
  BACKLOG: { ...CAUTION, check: backlog },
  THROTTLED: { ...CAUTION, check: throttled },
  UNSTEADY: { ...CAUTION, check: unsteady },
  NOT_QUIET: { ...CAUTION, check: notQuiet },
  IDLE_USE: { ...CAUTION, check: idleUse },
  NOISY_HOST: { ...CAUTION, check: noisyHost },
  INCONCLUSIVE: { ...CAUTION, check: inconclusive },
} satisfies Record<string, Rule<[CellContext]>>;

const RULES = { ...CELL_RULES, ...PAIR_RULES };

export type Code = keyof typeof RULES;
/** A named reason not to trust a cell, with its evidence. */
export type Flag = NonNullable<ReturnType<(typeof RULES)[Code]['check']>>;

/** All reasons not to trust a cell, the invalidating ones first; without slices there is but one. */
export function flagsOf(record: RunRecord, cell: Cell): Flag[] {
  const context = contextOf(record, cell);
  const rules = context.slices.length > 0 ? Object.values(CELL_RULES) : [CELL_RULES.FAILED];
  return rules.map(({ check }) => check(context)).filter((flag) => flag !== null);
}

/** The reasons not to trust a comparison of these two cells' CPU per request; none without slices. */
export function flagsOfPair(record: RunRecord, cell: Cell, other: Cell): Flag[] {
  const [first, second] = [contextOf(record, cell), contextOf(record, other)];
  if (first.slices.length === 0 || second.slices.length === 0) return [];
  return Object.values(PAIR_RULES)
    .map(({ check }) => check(first, second))
    .filter((flag) => flag !== null);
}

/** What of a cell's figures a flag makes wrong; nothing where it only says to be careful. */
export function invalidates({ code }: Flag): readonly Aspect[] {
  return RULES[code].severity === 'invalid' ? spoilsOf(code) : [];
}

function spoilsOf(code: Code): readonly Aspect[] {
  return RULES[code].spoils;
}

/** Whether these flags, of one cell, say that this figure of it is wrong. */
export function isInvalid(flags: readonly Flag[], aspect: Aspect): boolean {
  return flags.some((flag) => invalidates(flag).includes(aspect));
}

/** Whether for these flags, of one cell, this figure of it has no rank and no verdict. */
export function isSpoiled(flags: readonly Flag[], aspect: Aspect): boolean {
  return spoiling(flags, aspect).length > 0;
}

/** Those of these flags for which a figure has no rank and no verdict. */
export function spoiling(flags: readonly Flag[], aspect: Aspect): Flag[] {
  return flags.filter(({ code }) => spoilsOf(code).includes(aspect));
}

/** These flags, of each code the last one, in the order in which the codes come first. */
export function uniqueFlags(flags: readonly Flag[]): Flag[] {
  return [...new Map(flags.map((flag) => [flag.code, flag])).values()];
}
