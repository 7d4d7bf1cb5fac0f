import {
  CPU,
  type Figure,
  latencyQuantile,
  MEAN_LATENCY,
  MEMORY,
  PEAK,
  ratioOfSums,
  THROUGHPUT,
} from '../figures/figures.ts';
import type { TimeName } from '../figures/latency.ts';
import { cpuOfRole, rolesOf } from '../figures/services.ts';
import { answersOf, type Measurement } from '../load/measurement.ts';
import { cellOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { JudgedName } from '../workload/declaration.ts';

interface FigureReference {
  figure: JudgedName;
  /** Whose CPU time it is: the server's by default. */
  role?: string;
  /** The seconds that a total is of. */
  inS?: number | undefined;
}

type MeasuredValue = (each: Measurement) => number;

/** How many base units each unit is; what has no unit is a number. */
const SCALES = { '': 1, '%': 1, µs: 1e3, ms: 1e6, MB: 1e6 };
type Unit = keyof typeof SCALES;

/** The unit in which a figure is published and shown, and how the figure is made. */
type Definition = [unit: Unit, (named: FigureReference, record: RunRecord) => Figure];

const DEFINITIONS: Record<JudgedName, Definition> = {
  throughput: ['', () => THROUGHPUT],
  cpu: ['µs', cpuNamed],
  mean: inMilliseconds('mean'),
  min: inMilliseconds('min'),
  p50: inMilliseconds('p50'),
  p75: inMilliseconds('p75'),
  p95: inMilliseconds('p95'),
  p99: inMilliseconds('p99'),
  max: inMilliseconds('max'),
  'mean of answers': ['ms', () => MEAN_LATENCY],
  'peak memory': ['MB', () => PEAK],
  memory: ['MB', () => MEMORY],
  'memory at start': ['MB', (_, record) => startMemory(record)],
  waiting: forEachAnswer('µs', ({ cpu }) => cpu.server.waitNs),
  'voluntary switches': forEachAnswer('', ({ scheduling }) => scheduling?.voluntary),
  'involuntary switches': forEachAnswer('', ({ scheduling }) => scheduling?.involuntary),
  'page faults': forEachAnswer('', ({ scheduling }) => scheduling?.faults),
  requests: total('', 'more', ({ window }) => window.sent),
  bytes: total('MB', 'more', ({ window }) => window.bytes),
  errors: total('', 'less', errorsIn),
  'error share': ['%', () => ERROR_SHARE],
};

export function unitOf(figure: JudgedName): Unit {
  return DEFINITIONS[figure][0];
}

/** How many base units the unit of a figure is. */
export function scaleOf(figure: JudgedName): number {
  return SCALES[unitOf(figure)];
}

export function figureNamed(record: RunRecord, named: FigureReference): Figure {
  return DEFINITIONS[named.figure][1](named, record);
}

/** Without services the server's CPU time is all there is. */
function cpuNamed({ role = 'server' }: FigureReference, record: RunRecord): Figure {
  const known = rolesOf(record).find((each) => each === role);
  return known === undefined ? CPU : cpuOfRole(record, known);
}

function inMilliseconds(name: TimeName): Definition {
  return ['ms', (_, record) => latencyQuantile(name, record)];
}

/** A count or a time of the server's processes in the windows, for each answer; unknown if it was not recorded. */
function forEachAnswer(unit: Unit, of: (each: Measurement) => number | undefined): Definition {
  const known = (measurement: Measurement) => {
    const count = of(measurement) ?? Number.NaN;
    // Older records lack what ended threads had used.
    return count < 0 ? Number.NaN : count;
  };
  return [unit, () => ratioOfSums('cpu', 'less', known, ({ window }) => answersOf(window))];
}

function total(unit: Unit, better: Figure['better'], of: MeasuredValue): Definition {
  const figure = ({ inS = 1 }: FigureReference) => {
    const scaled = (measurement: Measurement) => of(measurement) * inS;
    return ratioOfSums('throughput', better, scaled, ({ windowNs }) => windowNs / 1e9);
  };
  return [unit, figure];
}

/** Requests that were answered wrong, given up, or lost with a connection. */
function errorsIn({ window }: Measurement): number {
  return window.wrongStatus + window.wrongBody + window.timedOut + window.disconnected;
}

const errorPercent: MeasuredValue = (measurement) => errorsIn(measurement) * 100;
const ERROR_SHARE = ratioOfSums('throughput', 'less', errorPercent, ({ window }) => window.sent);

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
