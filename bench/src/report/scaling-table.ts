import type { Figures } from '../figures/figures.ts';
import type { Latency } from '../figures/latency.ts';
import { pointOf } from '../math/statistics.ts';
import { underWayOf } from '../plan/loads.ts';
import type { Topology } from '../plan/topology.ts';
import type { CellSummary } from '../summary/conditions.ts';
import type { Scaling, ScalingStep, TargetScaling } from '../summary/scaling.ts';
import type { Target } from '../targets/targets.ts';
import {
  latencyTime,
  megabytes,
  milliseconds,
  NONE,
  number,
  percent,
  percentRange,
  plural,
  plusMinus,
  ratioRange,
  timePlusMinus,
} from './format.ts';
import { loadFlags, rowName, topologyName } from './names.ts';
import { flagsBeside, Notes } from './notes.ts';
import { isUnreached, section, unreachedSection } from './section.ts';
import { type Column, type Look, renderTable } from './table.ts';

/** A topology of a target, as a row. */
interface Row extends ScalingStep {
  target: Target;
}

/**
 * Every topology of every target beside its bounds, under the load of which every request can be
 * answered. Beside its own flags it tells those of the requests that came alone, which it is based on.
 */
export function scalingTable(
  { load, cores, targets }: Scaling,
  alone: CellSummary[],
  look: Look,
): string {
  const rows = targets.flatMap(({ target, steps }) => {
    return fewestFirst(steps).map((step): Row => ({ target, ...step }));
  });
  const labelOf = ({ target, topology }: Row) => stepName(target, topology, targets.length);
  const notes = new Notes([
    ...rows.map((row) => ({ label: labelOf(row), flags: row.summary.flags })),
    ...alone.map((cell) => {
      return { label: `requests alone to ${cell.target.label}`, flags: flagsBeside(cell) };
    }),
  ]);
  const hasManager = rows.some(({ topology }) => topology.manager !== 'none');
  const columns: Column<Row>[] = [
    {
      group: 'rate',
      head: 'requests/s\npredicted',
      cell: ({ predicted }) => (predicted ? `≤ ${number(predicted.throughput)}` : NONE),
    },
    figure('rate', '\nmeasured', ({ throughput }) => plusMinus(throughput)),
    { group: 'rate', head: '\nreached', cell: ({ reached }) => percentRange(reached) },
    ...(rows.some(({ speedUp }) => speedUp !== null)
      ? [
          {
            group: 'rate',
            head: 'speed-up over\nsingle',
            cell: ({ speedUp }: Row) => (speedUp ? ratioRange(speedUp.ratio) : NONE),
          },
        ]
      : []),
    cpuColumn(rows),
    {
      group: 'latency',
      head: 'latency, ms\npredicted',
      cell: ({ predicted }) => (predicted ? `≥ ${milliseconds(predicted.responseNs)}` : NONE),
    },
    latency('\nmean', 'mean'),
    latency('\np50', 'p50'),
    latency('\np97.5', 'p97_5'),
    latency('\np99', 'p99'),
    latency('\nmax', 'max'),
    figure('memory', 'MB of\nworkers', ({ memory }) => megabytes(memory.server)),
    ...(hasManager
      ? [
          figure('memory', 'MB of\nmanager', ({ memory }: Figures) => {
            return memory.manager === 0 ? NONE : megabytes(memory.manager);
          }),
        ]
      : []),
    ...notes.column<Row>('memory', ({ summary }) => summary.flags),
  ];
  const underWay = plural(underWayOf(load), 'request');
  const heading = `Feasible load: ${underWay} under way, all of which can be answered (${loadFlags(load)})`;
  if (isUnreached(rows.map(({ summary }) => summary))) return unreachedSection(heading, look);
  const table = renderTable({ head: 'processes', cell: labelOf }, columns, rows, look);
  const text = [
    ...targets.map((each) => serviceSentence(each, targets.length)),
    `Predicted are bounds, for ${underWay} under way and ${plural(cores, 'core')}: at most ` +
      'min(processes, cores) ÷ service time a second, and on average a latency of at least requests under ' +
      'way × service time ÷ min(processes, cores). Reached is what was measured of the requests/s predicted.',
  ];
  return section(heading, table, text.join(' '), look, notes.text(look));
}

/** From the fewest processes to the most; of the same number, in the order given. */
export function fewestFirst<Of extends { topology: Topology }>(rows: readonly Of[]): Of[] {
  return rows.toSorted((a, b) => a.topology.processes - b.topology.processes);
}

/** A topology as the name of a row, with its target where there are several. */
export function stepName(target: Target, topology: Topology, targets: number): string {
  return targets === 1 ? topologyName(topology) : rowName(target, topology);
}

function serviceSentence({ target, service }: TargetScaling, targets: number): string {
  const who = targets === 1 ? 'A request' : `A request to ${target.label}`;
  const time = timePlusMinus(service.ns);
  if (service.ns.kind === 'none') return `${who} was not measured alone.`;
  if (service.from === 'alone') {
    return `${who} alone takes ${time}, nearly all of it on the CPU: that is its service time.`;
  }
  if (service.busyShare === null) {
    return `${who} was not measured alone, so its service time is the CPU time of one under this load, ${time}.`;
  }
  return (
    `${who} alone is on the CPU for only ${percent(service.busyShare)} of the time that it takes, so its ` +
    `service time is the CPU time of one under this load, ${time}.`
  );
}

/** In ms, or in µs where that suits any of them better. */
function cpuColumn(rows: Row[]): Column<Row> {
  const isShort = ({ summary: { outcome } }: Row) => {
    const ns = outcome.state === 'measured' ? pointOf(outcome.figures.cpuPerRequest) : null;
    return ns !== null && ns < 1e6;
  };
  const [unit, scale] = rows.some(isShort) ? (['µs', 1000] as const) : (['ms', 1e6] as const);
  return figure('cost', `CPU\n${unit}/request`, ({ cpuPerRequest }) => {
    return plusMinus(cpuPerRequest, scale);
  });
}

function figure(group: string, head: string, cell: (figures: Figures) => string): Column<Row> {
  return {
    group,
    head,
    cell: ({ summary: { outcome } }) => {
      if (outcome.state === 'measured') return cell(outcome.figures);
      return group === 'rate' ? outcome.state : NONE;
    },
  };
}

function latency(head: string, pick: 'mean' | 'p50' | 'p97_5' | 'p99' | 'max'): Column<Row> {
  return figure('latency', head, ({ latency: times }: { latency: Latency | null }) => {
    return times ? latencyTime(times[pick]) : NONE;
  });
}
