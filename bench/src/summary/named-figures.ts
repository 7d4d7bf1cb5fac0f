import {
  type Aspect,
  CPU,
  type Figure,
  latencyQuantile,
  MEAN_LATENCY,
  MEMORY,
  PEAK,
  responsesOf,
  sum,
  THROUGHPUT,
} from '../figures/figures.ts';
import { cpuOfRole, rolesOf } from '../figures/services.ts';
import type { Load } from '../plan/loads.ts';
import { cellOf } from '../plan/plan.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import type { JudgedName } from '../workload/declaration.ts';

/** How many base units the unit is in which a figure is published and shown. */
export const SCALES: Record<JudgedName, number> = {
  ...{ throughput: 1, requests: 1, bytes: 1e6, errors: 1, 'error share': 1 },
  ...{
    mean: 1e6,
    'mean of answers': 1e6,
    min: 1e6,
    p50: 1e6,
    p75: 1e6,
    p95: 1e6,
    p99: 1e6,
    max: 1e6,
  },
  ...{ cpu: 1e3, waiting: 1e3, 'voluntary switches': 1, 'involuntary switches': 1 },
  ...{ 'page faults': 1, 'peak memory': 1e6, memory: 1e6, 'memory at start': 1e6 },
};

interface Named {
  figure: JudgedName;
  role?: string;
  /** Of a total: the seconds that it is of. */
  inS?: number | undefined;
}

/** The figure that a workload names, of cells under a load. CPU time is that of a role. */
export function figureNamed(
  record: RunRecord,
  { figure, role = 'server', inS = 1 }: Named,
  load: Load,
): Figure {
  switch (figure) {
    case 'throughput':
      return THROUGHPUT;
    case 'cpu': {
      // Without services the server's CPU time is all there is.
      const known = rolesOf(record).find((each) => each === role);
      return known === undefined ? CPU : cpuOfRole(record, known);
    }
    case 'peak memory':
      return PEAK;
    case 'memory':
      return MEMORY;
    case 'memory at start':
      return startMemory(record);
    case 'mean of answers':
      return MEAN_LATENCY;
    case 'waiting':
      return forEachAnswer(({ measurement: { cpu } }) => cpu.server.waitNs);
    case 'voluntary switches':
      return forEachAnswer(({ measurement }) => measurement.scheduling?.voluntary);
    case 'involuntary switches':
      return forEachAnswer(({ measurement }) => measurement.scheduling?.involuntary);
    case 'page faults':
      return forEachAnswer(({ measurement }) => measurement.scheduling?.faults);
    case 'requests':
      return ratio('more', ({ measurement: { window } }) => window.sent * inS, SECONDS);
    case 'bytes':
      return ratio('more', ({ measurement: { window } }) => window.bytes * inS, SECONDS);
    case 'errors':
      return ratio('less', (slice) => errorsOf(slice) * inS, SECONDS);
    case 'error share':
      return ratio(
        'less',
        (slice) => errorsOf(slice) * 100,
        ({ measurement }) => measurement.window.sent,
      );
    default:
      return latencyQuantile(figure, load);
  }
}

const SECONDS = ({ measurement }: Slice) => measurement.windowNs / 1e9;

/** Answered wrong, given up, or lost with a connection. */
function errorsOf({ measurement: { window } }: Slice): number {
  const { wrongStatus, wrongBody, timedOut, disconnected } = window;
  return wrongStatus + wrongBody + timedOut + disconnected;
}

/** What slices have of one thing together, over what they have of another. */
function ratio(
  better: Figure['better'],
  of: (slice: Slice) => number,
  over: (slice: Slice) => number,
  aspect: Aspect = 'throughput',
): Figure {
  return { aspect, better, inLaunch: (slices) => sum(slices, of) / sum(slices, over) };
}

/** What the server's processes had in the windows, for each answer; nothing where nobody looked. */
function forEachAnswer(of: (slice: Slice) => number | undefined): Figure {
  return ratio('less', (slice) => of(slice) ?? Number.NaN, responsesOf, 'cpu');
}

/** Memory of the server's processes before any load, bytes. */
function startMemory({ starts, plan }: RunRecord): Figure {
  return {
    ...MEMORY,
    inLaunch: ([slice]) => {
      if (slice === undefined) return Number.NaN;
      const { server } = cellOf(plan, slice.cell);
      const start = starts.find((each) => each.server === server && each.launch === slice.launch);
      return start?.bytes ?? Number.NaN;
    },
  };
}
