import { UserError } from '../base/errors.ts';
import { type ClosedLoad, COST, closedLoad, inOneGo, type Load, timingOf } from '../plan/loads.ts';
import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import { plainest } from '../plan/topology.ts';
import { conditionSection } from '../report/sections/condition.ts';
import { whereSections } from '../report/sections/where.ts';
import { sampledName, summarizeWhere, unsampledName } from '../summary/where.ts';
import { CAN_PROFILE, FOR_PROFILES } from '../system/inspector.ts';
import type { LocalTarget, Target } from '../targets/targets.ts';
import { IN_SLICES, usually } from './common.ts';
import { detailSections } from './sections.ts';
import type { Suite } from './suite.ts';

/** Long slices: what samples tell goes by their number. */
const amounts = usually(
  { topologies: ['single'], ...COST, durationS: 24, sliceS: 1.5, launches: 4, warmupS: 3 },
  { durationS: 3, sliceS: 0.5, launches: 3, warmupS: 1.2 },
);
/** Of a load for servers that are too slow for the cost load. */
const FEW = 8;

/**
 * Where the time goes of the servers that another kind of run measures: each in slices with V8's sampler and
 * without it, in turn, in the same processes, under that run's cost load; and beside each the same server in a
 * process that can't be sampled, which says whether the parts come to what it takes.
 */
export function whereOf(inner: Suite): Suite {
  return {
    ...IN_SLICES,
    name: 'where',
    defaults: (given) => {
      const { connections, pipelining } = inner.defaults(given);
      return { ...amounts(given), connections, pipelining };
    },
    profiles: true,
    pilot: inner.pilot,
    known: inner.known,
    loads: (inputs) => loads(inner, inputs),
    subjects: (asked) => {
      const { targets, leftOut, ...chosen } = inner.subjects(asked);
      const { sampled, others } = splitByNode(targets);
      const all = [...sampled.map(sampledOn), ...sampled.map(unsampled)];
      return { ...chosen, targets: all, leftOut: [...leftOut, ...others], probes: [] };
    },
    show: ({ record, conditions }, { details }) => [
      ...whereSections(summarizeWhere(record), details),
      ...conditions.map((each) => conditionSection(each, { details })),
      ...detailSections(conditions, details),
    ],
  };
}

/** Both ways of each cell in every round. */
export const ARRANGED = { arrangements: ['standard', 'profiled'] } as const;

function loads(inner: Suite, inputs: LoadInputs): LoadAssignment[] {
  const own = inner.loads(inputs);
  const load = costliest(own.map((each) => each.load)) ?? gentle(inputs);
  const of = own.filter((each) => each.load.id === load.id).map((each) => each.of);
  const isAsked = (target: Target) => {
    return of.length === 0 || of.some((asked) => asked === undefined || asked(target));
  };
  const placed = { load: inOneGo(load), on: plainest(inputs.topologies) };
  const isSampled = (target: Target) => sampledName(target.name) === null && isAsked(target);
  const isUnsampled = (target: Target) => {
    const name = sampledName(target.name);
    return name !== null && isAsked({ ...target, name });
  };
  return [
    { ...placed, of: isSampled, ...ARRANGED },
    { ...placed, of: isUnsampled },
  ];
}

/** The load that CPU per request is read under; null where no load keeps servers busy. */
function costliest(own: readonly Load[]): ClosedLoad | null {
  const busy = own.filter((load) => load.kind === 'closed').filter(({ saturates }) => saturates);
  return busy.find(({ headline }) => headline === 'cpu') ?? busy[0] ?? null;
}

function gentle({ options }: LoadInputs): ClosedLoad {
  const facts = { id: 'cost', label: 'with few requests at a time', waitForAll: true };
  return closedLoad({ ...facts, connections: FEW, ...timingOf(options) });
}

/** @throws UserError where nobody can tell where an inspector listens. */
export function requireSampler(): void {
  if (CAN_PROFILE) return;
  throw new UserError(
    'where the time goes can only be told on Linux',
    'Run it there; without --where everything else is measured here too.',
  );
}

/** The target with an inspector that takes a free port once it is woken. */
export function sampledOn({ start: [program, ...rest], ...target }: LocalTarget): LocalTarget {
  return { ...target, start: [program, ...FOR_PROFILES, ...rest] };
}

/** The same target as a server that is never sampled. */
export function unsampled(target: LocalTarget): LocalTarget {
  const { name, label } = target;
  return { ...target, name: unsampledName(name), label: `${label} without the sampler` };
}

/** Those that V8 can sample, and why others are left out, a sentence each. */
function splitByNode(
  targets: readonly LocalTarget[],
): Record<'sampled', LocalTarget[]> & Record<'others', string[]> {
  requireSampler();
  const { sampled = [], others = [] } = Object.groupBy(targets, (each) =>
    isOnNode(each) ? 'sampled' : 'others',
  );
  if (sampled.length === 0) {
    throw new UserError('none of these targets runs on Node', 'Name one whose start is "node …".');
  }
  const why = "V8's sampler is asked of Node alone";
  return { sampled, others: others.map(({ label }) => `${label}: ${why}`) };
}

function isOnNode({ start: [program], runtime, external }: LocalTarget): boolean {
  return program === 'node' && external === null && (runtime === null || runtime.kind === 'node');
}
