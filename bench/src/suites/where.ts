import { UserError } from '../base/errors.ts';
import { closedLoad, timingOf, withoutInterleaving } from '../plan/loads.ts';
import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import { plainest } from '../plan/topology.ts';
import { whereSections } from '../report/sections/where.ts';
import { sampledName, summarizeWhere, unsampledName } from '../summary/where.ts';
import { CAN_PROFILE, FOR_PROFILES } from '../system/inspector.ts';
import type { LocalTarget, Target } from '../targets/targets.ts';
import { conditionSections, detailSections } from './sections.ts';
import { IN_SLICES, SINGLE_COST, type Suite, usually } from './suite.ts';

/** Slices are long since the precision depends on the number of samples. */
const amounts = usually(
  { ...SINGLE_COST, durationS: 24, sliceS: 1.5, launches: 4, warmupS: 3 },
  { durationS: 3, sliceS: 0.5, launches: 3, warmupS: 1.2 },
);
/** Connections for servers that are too slow for the cost load. */
const FEW = 8;

/**
 * Where the CPU time of another suite's servers goes, in slices with and without V8's sampler, in turn in the same
 * processes, under its cost load. Processes that can't be sampled show whether the parts add up to what a server costs.
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
    standalone: ['profileDir'],
    pilot: inner.pilot,
    known: inner.known,
    loads: (inputs) => loads(inner, inputs),
    subjects: (asked) => {
      requireSampler();
      const { targets, leftOut, ...chosen } = inner.subjects(asked);
      const own = targets.filter(isOnNode);
      if (own.length === 0) {
        throw new UserError('no target here runs on Node', 'Name one whose start is "node …".');
      }
      const others = targets.filter((target) => !isOnNode(target));
      const why = others.map(({ label }) => `${label}: V8's sampler works on Node alone`);
      const all = [...own.map(sampledOn), ...own.map(unsampled)];
      return { ...chosen, targets: all, leftOut: [...leftOut, ...why], probes: [] };
    },
    show: ({ record, conditions }, { details }) => [
      ...whereSections(summarizeWhere(record), details),
      ...conditionSections(conditions, details),
      ...detailSections(conditions, details),
    ],
  };
}

/** Each cell in both ways in every round. */
export const ARRANGED = { arrangements: ['standard', 'profiled'] } as const;

function loads(inner: Suite, inputs: LoadInputs): LoadAssignment[] {
  const own = inner.loads(inputs);
  const load = costliest(own) ?? fewRequests(inputs);
  const assigned = own.filter((each) => each.load.id === load.id);
  const isUnsampled = ({ name }: Target) => sampledName(name) !== null;
  /** Whether the other suite puts that load on it, or on the target whose unsampled server it is. */
  const isAsked = (target: Target) => {
    const name = sampledName(target.name) ?? target.name;
    return assigned.length === 0 || assigned.some(({ of }) => of?.({ ...target, name }) ?? true);
  };
  const placed = { load: withoutInterleaving(load), on: plainest(inputs.topologies) };
  return [
    { ...placed, of: (target) => !isUnsampled(target) && isAsked(target), ...ARRANGED },
    { ...placed, of: (target) => isUnsampled(target) && isAsked(target) },
  ];
}

/** The load under which CPU per request is measured; null if no load keeps servers busy. */
function costliest(own: readonly LoadAssignment[]) {
  const busy = own.flatMap(({ load }) => (load.kind === 'closed' && load.saturates ? load : []));
  return busy.find(({ headline }) => headline === 'cpu') ?? busy[0] ?? null;
}

function fewRequests({ options }: LoadInputs) {
  const facts = { id: 'cost', label: 'with few requests at a time', waitForAll: true };
  return closedLoad({ ...facts, connections: FEW, ...timingOf(options) });
}

/** @throws UserError if there is no way to know where an inspector listens. */
export function requireSampler(): void {
  if (CAN_PROFILE) return;
  const next = 'Run it there; without --where everything else is measured here too.';
  throw new UserError('where the time goes can only be measured on Linux', next);
}

/** The target with an inspector that takes a free port once it is activated. */
export function sampledOn({ start: [program, ...rest], ...target }: LocalTarget): LocalTarget {
  return { ...target, start: [program, ...FOR_PROFILES, ...rest] };
}

export function unsampled(target: LocalTarget): LocalTarget {
  const { name, label } = target;
  return { ...target, name: unsampledName(name), label: `${label} without the sampler` };
}

function isOnNode({ start: [program], runtime, external }: LocalTarget): boolean {
  return program === 'node' && external === null && (runtime === null || runtime.kind === 'node');
}
