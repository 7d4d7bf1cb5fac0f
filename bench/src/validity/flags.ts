import type { Cell } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import {
  type BadResponseFlag,
  badResponse,
  type CensoredFlag,
  censored,
  type LedgerFlag,
  type LittleFlag,
  ledger,
  little,
} from './answers.ts';
import { type CellContext, contextOf } from './context.ts';
import { type ThrottledFlag, throttled } from './limit.ts';
import {
  type InconclusiveFlag,
  inconclusive,
  type NoisyHostFlag,
  noisyHost,
  type UnsteadyFlag,
  unsteady,
} from './noise.ts';
import {
  type BacklogFlag,
  backlog,
  type DroppedFlag,
  dropped,
  type LateFlag,
  late,
} from './pace.ts';
import {
  type ImpossibleFlag,
  impossible,
  type RestartedFlag,
  restarted,
  type SharedCpuFlag,
  type SpreadFlag,
  sharedCpu,
  spread,
  type TopologyFlag,
  topology,
} from './processes.ts';
import {
  type GeneratorBoundFlag,
  generatorBound,
  type HeadroomFlag,
  headroom,
  type RegimeFlag,
  regime,
  type UnsaturatedFlag,
  unsaturated,
} from './saturation.ts';

/** A named reason not to trust a cell, with its evidence in base units and shares. */
export type Flag =
  | BadResponseFlag
  | LedgerFlag
  | LittleFlag
  | CensoredFlag
  | GeneratorBoundFlag
  | RegimeFlag
  | HeadroomFlag
  | UnsaturatedFlag
  | SharedCpuFlag
  | ThrottledFlag
  | UnsteadyFlag
  | NoisyHostFlag
  | RestartedFlag
  | TopologyFlag
  | SpreadFlag
  | ImpossibleFlag
  | InconclusiveFlag
  | LateFlag
  | DroppedFlag
  | BacklogFlag;

export type Code = Flag['code'];

/** An invalid cell's figures are wrong; with a caution they are right, and say less than they seem to. */
export type Severity = 'invalid' | 'caution';

/** How a flag is found, in a cell or in a pair of them. */
interface Rule<C extends Code, Of extends CellContext[]> {
  severity: Severity;
  check: (...of: Of) => Extract<Flag, { code: C }> | null;
}

type PairCode = 'REGIME';

const PAIR_RULES: { [C in PairCode]: Rule<C, [CellContext, CellContext]> } = {
  REGIME: { severity: 'caution', check: regime },
};

const CELL_RULES: { [C in Exclude<Code, PairCode>]: Rule<C, [CellContext]> } = {
  BAD_RESPONSE: { severity: 'invalid', check: badResponse },
  LEDGER: { severity: 'invalid', check: ledger },
  LITTLE: { severity: 'invalid', check: little },
  RESTARTED: { severity: 'invalid', check: restarted },
  TOPOLOGY: { severity: 'invalid', check: topology },
  IMPOSSIBLE: { severity: 'invalid', check: impossible },
  GENERATOR_BOUND: { severity: 'caution', check: generatorBound },
  HEADROOM: { severity: 'caution', check: headroom },
  UNSATURATED: { severity: 'caution', check: unsaturated },
  SHARED_CPU: { severity: 'caution', check: sharedCpu },
  SPREAD: { severity: 'caution', check: spread },
  CENSORED: { severity: 'caution', check: censored },
  LATE: { severity: 'caution', check: late },
  DROPPED: { severity: 'caution', check: dropped },
  BACKLOG: { severity: 'caution', check: backlog },
  THROTTLED: { severity: 'caution', check: throttled },
  UNSTEADY: { severity: 'caution', check: unsteady },
  NOISY_HOST: { severity: 'caution', check: noisyHost },
  INCONCLUSIVE: { severity: 'caution', check: inconclusive },
};

const SEVERITIES = { ...CELL_RULES, ...PAIR_RULES };

/** All reasons not to trust a cell, the invalidating ones first; without slices there is but one. */
export function flagsOf(record: RunRecord, cell: Cell): Flag[] {
  const context = contextOf(record, cell);
  const rules = context.slices.length > 0 ? Object.values(CELL_RULES) : [CELL_RULES.RESTARTED];
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

/** What a flag means for the cell's figures. */
export function severityOf({ code }: Flag): Severity {
  return SEVERITIES[code].severity;
}

/** Whether these flags, of one cell, say that its figures are wrong. */
export function isInvalid(flags: readonly Flag[]): boolean {
  return flags.some((flag) => severityOf(flag) === 'invalid');
}

/** These flags, of each code the last one, in the order in which the codes come first. */
export function uniqueFlags(flags: readonly Flag[]): Flag[] {
  return [...new Map(flags.map((flag) => [flag.code, flag])).values()];
}
