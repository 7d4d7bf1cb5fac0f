import { pointOf } from '../../math/statistics.ts';
import { underWayOf } from '../../plan/loads.ts';
import type { Topology } from '../../plan/topology.ts';
import type { CellSummary } from '../../summary/conditions.ts';
import type { Scaling, ScalingStep, TargetScaling } from '../../summary/scaling.ts';
import type { Target } from '../../targets/targets.ts';
import type { Section } from '../document.ts';
import { onPage } from '../drawings.ts';
import {
  milliseconds,
  number,
  percent,
  percentRange,
  plural,
  plusMinus,
  timePlusMinus,
} from '../format.ts';
import { loadFlags, rowName, topologyName } from '../names.ts';
import { without } from '../notes.ts';
import { cellSection } from '../section.ts';
import { amount, type Column } from '../tabulate.ts';
import {
  CPU_HEAD,
  columnsOfCells,
  comparisonColumns,
  cpuText,
  figuresIn,
  intervals,
  throughputText,
} from './columns.ts';

interface Row extends ScalingStep {
  target: Target;
}

const cellOf = ({ summary }: Row) => summary;
const { leading, figure, latency, memory } = columnsOfCells(cellOf);
const { times } = comparisonColumns<Row>('rate', ({ speedUp }) => speedUp);

/** Sorts by the number of processes; stable. */
export function fewestFirst<Of extends { topology: Topology }>(rows: readonly Of[]): Of[] {
  return rows.toSorted((a, b) => a.topology.processes - b.topology.processes);
}

/** The name of a row: its topology, and its target where there are several. */
export function stepName(target: Target, topology: Topology, targets: number): string {
  return targets === 1 ? topologyName(topology) : rowName(target, topology);
}

/**
 * Measured and predicted figures of every topology under the feasible load. The predictions are based on the
 * requests that came alone, so the flags of these are shown too.
 */
export function scalingSection({ load, cores, targets }: Scaling, alone: CellSummary[]): Section {
  const inFlight = plural(underWayOf(load), 'request');
  const heading = `Feasible load: ${inFlight} in flight, all of which can be answered (${loadFlags(load)})`;
  const rows = targets.flatMap(({ target, steps }) => {
    return fewestFirst(steps).map((step): Row => ({ target, ...step }));
  });
  const isLimited = targets.some(({ target }) => target.cpuLimit !== null);
  const limits = isLimited ? ', or the CPU limit where that is lower' : '';
  return cellSection(heading, cellOf, {
    name: ['processes', ({ target, topology }) => stepName(target, topology, targets.length)],
    columns: scalingColumns(rows),
    rows,
    flagGroup: 'memory',
    alsoNoted: alone.map(({ target, flags }) => ({
      label: `requests alone to ${target.label}`,
      // The service time has its own interval.
      flags: without('INCONCLUSIVE', flags),
    })),
    text: [
      ...targets.map((each) => serviceSentence(each, targets.length)),
      `Predicted are bounds for ${inFlight} in flight and ${plural(cores, 'core')}${limits}: requests/s of at most ` +
        'min(processes, cores) ÷ service time, and a mean latency of at least requests in flight × service time ÷ ' +
        'min(processes, cores). Reached is the measured share of the predicted requests/s.',
    ],
  });
}

function scalingColumns(rows: readonly Row[]): Column<Row>[] {
  const hasManager = rows.some(({ topology }) => topology.manager !== 'none');
  const hasSpeedUp = rows.some(({ speedUp }) => speedUp !== null);
  const throughputOf = ({ summary }: Row) => figuresIn(summary)?.throughput;
  const predictedOf = ({ predicted }: Row) => predicted?.throughput;
  return [
    amount('rate', 'requests/s\npredicted', ({ predicted }) => {
      return predicted && `≤ ${number(predicted.throughput)}`;
    }),
    leading('rate', '\nmeasured', throughputText),
    onPage(intervals('values', 'rate', rows, throughputOf, predictedOf)),
    amount('rate', '\nreached', ({ reached }) => percentRange(reached)),
    ...(hasSpeedUp ? [times('speed-up over\nsingle')] : []),
    cpuColumn(rows),
    amount('latency', 'latency, ms\npredicted', ({ predicted }) => {
      return predicted && `≥ ${milliseconds(predicted.responseNs)}`;
    }),
    latency('mean', '\nmean'),
    latency('p50', '\np50'),
    latency('p97_5', '\np97.5'),
    latency('p99', '\np99'),
    latency('max', '\nmax'),
    memory('memory', 'MB of\nworkers', 'server'),
    ...(hasManager ? [memory('memory', 'MB of\nmanager', 'manager')] : []),
  ];
}

/** In ms, or in µs where any value is below 1 ms. */
function cpuColumn(rows: readonly Row[]): Column<Row> {
  const isShort = rows.some(({ summary }) => {
    const figures = figuresIn(summary);
    const ns = figures && pointOf(figures.cpuPerRequest);
    return ns !== null && ns < 1e6;
  });
  if (isShort) return figure('cost', CPU_HEAD, cpuText);
  return figure('cost', 'CPU\nms/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1e6));
}

function serviceSentence({ target, service }: TargetScaling, targets: number): string {
  const { ns, from, busyShare } = service;
  const what = targets === 1 ? 'Service time' : `Service time of ${target.label}`;
  if (ns.kind === 'none') return `${what}: not known, since no request was measured alone.`;
  const known = `${what}: ${timePlusMinus(ns)},`;
  if (from === 'alone') return `${known} what a request takes alone, nearly all of it on the CPU.`;
  const why =
    busyShare === null
      ? 'no request was measured alone'
      : `a request alone is on the CPU for only ${percent(busyShare)} of its time`;
  return `${known} the CPU time of a request under this load, since ${why}.`;
}
