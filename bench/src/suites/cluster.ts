import { type ClosedLoad, closedLoad, TIMEOUT_NS } from '../plan/loads.ts';
import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import { coresOf, plainest } from '../plan/topology.ts';
import { claimSections } from '../report/sections/claims.ts';
import { clusterText } from '../report/sections/cluster-text.ts';
import { variantSection } from '../report/sections/overhead.ts';
import { overloadSection } from '../report/sections/overload.ts';
import { runtimeSection } from '../report/sections/runtimes.ts';
import { scalingSection } from '../report/sections/scaling.ts';
import { ALL_TOPOLOGIES } from '../request/amounts.ts';
import type { TopologyName } from '../request/option-values.ts';
import { summarizeClaims } from '../summary/claims.ts';
import { ALONE, FEASIBLE, OVERLOAD } from '../summary/cluster-loads.ts';
import { summarizeTopologies, summarizeVariants } from '../summary/comparisons.ts';
import { summarizeOverload } from '../summary/overload.ts';
import { readPublished } from '../summary/published.ts';
import { summarizeRuntimes } from '../summary/runtimes.ts';
import { summarizeScaling } from '../summary/scaling.ts';
import { IN_SLICES, ofSuite, usually } from './common.ts';
import { detailSections, sectionOf } from './sections.ts';
import type { Suite } from './suite.ts';

/** The published overload, … */
const PUBLISHED = { connections: 1000, pipelining: 10 };
/** … on what was published, one process under pm2 in fork mode, 8 and 2, beside plain node and what this machine has, … */
const TOPOLOGIES: TopologyName[] = ['single', 'fork', 2, 'max', 8];
/** … for as long as it was published. */
const AMOUNTS = { durationS: 10, sliceS: 10, launches: 5, warmupS: 3 };

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
/** … but not so many that the generator becomes a part of it. */
const FEASIBLE_MOST = 100;
/** The feasible time-out, over the longest wait that the bounds predict. */
const FEASIBLE_PATIENCE = 5;
/** Answers that a slice of one process should hold, so that its edges don't matter. */
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
  meaningless: () => ({
    contiguous: 'here: the overload always is',
    slice: 'here: slices are as long as the service time wants them',
  }),
  pilot: () => ({ load: closedLoad(ONE_AT_A_TIME) }),
  rounds: () => FEASIBLE_ROUNDS,
  loads,
  subjects: (asked) => ofSuite('cluster', asked),
  show({ record, conditions }, { details }) {
    const topologies = summarizeTopologies(record, conditions);
    const scaling = summarizeScaling(record, conditions, topologies);
    const overload = summarizeOverload(record, conditions, scaling);
    const alone = conditions.flatMap(({ load, cells }) => (load.id === ALONE ? cells : []));
    const claims = summarizeClaims(record, conditions, readPublished('cluster'));
    return [
      ...sectionOf(scaling, (each) => scalingSection(each, alone)),
      ...sectionOf(overload, (each) => {
        return overloadSection(each, { isPublished: isPublished(each.load) });
      }),
      ...(scaling ? clusterText(scaling, overload) : []),
      ...sectionOf(summarizeVariants(record, conditions), variantSection),
      ...sectionOf(summarizeRuntimes(record, conditions), runtimeSection),
      ...detailSections(conditions, details),
      ...claimSections(claims, { isShort: !details }),
    ];
  },
};

function isPublished({ connections, pipelining }: ClosedLoad): boolean {
  return connections === PUBLISHED.connections && pipelining === PUBLISHED.pipelining;
}

/** As many requests as can be answered, one at a time, and as many as were published. */
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
