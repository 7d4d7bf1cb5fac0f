import { closedLoad, isSameConcurrency, TIMEOUT_NS } from '../plan/loads.ts';
import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import { coresOf, plainest } from '../plan/topology.ts';
import { claimSections } from '../report/sections/claims.ts';
import { clusterText, overloadSection, scalingSection } from '../report/sections/cluster.ts';
import { ALL_TOPOLOGIES } from '../request/amounts.ts';
import type { TopologyName } from '../request/option-values.ts';
import { summarizeClaims } from '../summary/claims.ts';
import { readPublished } from '../summary/published.ts';
import {
  ALONE,
  FEASIBLE,
  OVERLOAD,
  summarizeOverload,
  summarizeScaling,
} from '../summary/scaling.ts';
import { copySections, detailSections, sectionOf } from './sections.ts';
import { IN_SLICES, ofSuite, type Suite, usually } from './suite.ts';

/** The published overload, … */
const PUBLISHED = { connections: 1000, pipelining: 10 };
/** … on what was published, one process under pm2 in fork mode, 8 and 2, beside plain node and what this machine has, … */
const TOPOLOGIES: TopologyName[] = ['single', 'fork', 2, 'max', 8];
/** … for as long as it was published. */
const AMOUNTS = { durationS: 10, sliceS: 10, launches: 5, warmupS: 10 };

/** One request at a time: what it takes is the service time. */
const ONE_AT_A_TIME = {
  id: ALONE,
  label: 'with one request at a time',
  connections: 1,
  saturates: false,
  waitForAll: true,
};

/** Under the feasible load each process has one request in work and three waiting, … */
const FEASIBLE_PER_PROCESS = 4;
/** … or more, as long as a single process answers within this, ns, … */
const FEASIBLE_WAIT_NS = 1e9;
/** … but not so many that the generator becomes a factor. */
const FEASIBLE_MOST = 100;
/** The feasible time-out, as a multiple of the longest wait that the bounds predict. */
const FEASIBLE_PATIENCE = 5;
/** Answers in a slice of one process: enough for its edges not to matter. */
const SLICE_ANSWERS = 40;
const SHORTEST_SLICE_NS = 1e9;
const FEASIBLE_ROUNDS = 2;

/** How many processes of a CPU-bound endpoint to run: predicted beside measured, and the published overload. */
export const cluster: Suite = {
  ...IN_SLICES,
  name: 'cluster',
  defaults: usually(
    { topologies: TOPOLOGIES, ...PUBLISHED, ...AMOUNTS },
    { topologies: ALL_TOPOLOGIES, launches: 2, warmupS: 1 },
  ),
  isUnbroken: true,
  refused: () => ({
    contiguous: 'the overload always is',
    slice: 'the service time sets the length of slices',
  }),
  pilot: () => ({ load: closedLoad(ONE_AT_A_TIME) }),
  rounds: () => FEASIBLE_ROUNDS,
  loads,
  subjects: (asked) => ofSuite('cluster', asked),
  show(summary, { details }) {
    const scaling = summarizeScaling(summary);
    const overload = summarizeOverload(summary, scaling);
    const claims = summarizeClaims(summary, readPublished('cluster'));
    return [
      ...sectionOf(scaling, scalingSection),
      ...sectionOf(overload, (each) =>
        overloadSection(each, isSameConcurrency(each.load, PUBLISHED)),
      ),
      ...sectionOf(scaling, (each) => clusterText(each, overload)),
      ...copySections(summary),
      ...detailSections(summary.conditions, details),
      ...claimSections(claims, { isShort: !details }),
    ];
  },
};

function loads({ options, topologies, machine, pilot }: LoadInputs): LoadAssignment[] {
  if (pilot.kind !== 'service') throw new Error('the loads of a cluster need a service time');
  const { serviceNs } = pilot;
  const most = Math.max(
    ...topologies.map((topology) => Math.max(topology.processes, coresOf(topology, machine))),
  );
  const quick = Math.min(FEASIBLE_MOST, Math.floor(FEASIBLE_WAIT_NS / serviceNs));
  const connections = Math.max(most * FEASIBLE_PER_PROCESS, quick);
  const timing = {
    sliceNs: Math.max(SHORTEST_SLICE_NS, SLICE_ANSWERS * serviceNs),
    timeoutNs: Math.max(TIMEOUT_NS, FEASIBLE_PATIENCE * connections * serviceNs),
  };
  const feasible = closedLoad({
    id: FEASIBLE,
    label: 'under the feasible load',
    connections,
    waitForAll: true,
    ...timing,
  });
  const overload = closedLoad({
    id: OVERLOAD,
    label: 'under the overload',
    connections: options.connections,
    pipelining: options.pipelining,
    method: 'contiguous',
    sliceNs: options.durationS * 1e9,
  });
  return [
    { load: feasible, on: topologies },
    // What a request takes alone is the same in every topology; the plain one is as good as any.
    { load: closedLoad({ ...ONE_AT_A_TIME, ...timing }), on: plainest(topologies) },
    { load: overload, on: topologies },
  ];
}
