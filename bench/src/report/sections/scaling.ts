import { pointOf } from '../../math/statistics.ts';
import { underWayOf } from '../../plan/loads.ts';
import type { CellSummary } from '../../summary/conditions.ts';
import type { Scaling, ScalingStep, TargetScaling } from '../../summary/scaling.ts';
import type { Target } from '../../targets/targets.ts';
import type { Section } from '../document.ts';
import { intervalColumn, onPage } from '../drawings.ts';
import {
  milliseconds,
  number,
  percent,
  percentRange,
  plural,
  plusMinus,
  timePlusMinus,
} from '../format.ts';
import { loadFlags } from '../names.ts';
import { without } from '../notes.ts';
import { cellSection } from '../section.ts';
import { amount, type Column } from '../tabulate.ts';
import { columnsOfCells, figuresIn } from './cell-columns.ts';
import { comparisonColumns } from './comparison-columns.ts';
import { fewestFirst, stepName } from './steps.ts';

/** A topology of a target, as a row. */
interface Row extends ScalingStep {
  target: Target;
}

const cellOf = ({ summary }: Row) => summary;
const { leading, figure, latency, memory } = columnsOfCells(cellOf);
const { times } = comparisonColumns<Row>('rate', ({ speedUp }) => speedUp);

/**
 * Every topology of every target beside its bounds, under the load of which every request can be
 * answered. Beside its own flags it tells those of the requests that came alone, which it is based on.
 */
export function scalingSection({ load, cores, targets }: Scaling, alone: CellSummary[]): Section {
  const underWay = plural(underWayOf(load), 'request');
  const heading = `Feasible load: ${underWay} under way, all of which can be answered (${loadFlags(load)})`;
  const rows = targets.flatMap(({ target, steps }) => {
    return fewestFirst(steps).map((step): Row => ({ target, ...step }));
  });
  const isLimited = targets.some(({ target }) => target.cpuLimit !== null);
  const limits = isLimited ? ', or the CPU limit where that is less' : '';
  return cellSection(heading, cellOf, {
    name: ['processes', ({ target, topology }) => stepName(target, topology, targets.length)],
    columns: scalingColumns(rows),
    rows,
    flagGroup: 'memory',
    alsoNoted: alone.map(({ target, flags }) => ({
      label: `requests alone to ${target.label}`,
      // The sentence says how well a service time is known.
      flags: without('INCONCLUSIVE', flags),
    })),
    text: [
      ...targets.map((each) => serviceSentence(each, targets.length)),
      `Predicted are bounds, for ${underWay} under way and ${plural(cores, 'core')}${limits}: at most ` +
        'min(processes, cores) ÷ service time a second, and on average a latency of at least requests under ' +
        'way × service time ÷ min(processes, cores). Reached is what was measured of the requests/s predicted.',
    ],
  });
}

function scalingColumns(rows: readonly Row[]): Column<Row>[] {
  const hasManager = rows.some(({ topology }) => topology.manager !== 'none');
  const hasSpeedUp = rows.some(({ speedUp }) => speedUp !== null);
  return [
    amount('rate', 'requests/s\npredicted', ({ predicted }) => {
      return predicted && `≤ ${number(predicted.throughput)}`;
    }),
    leading('rate', '\nmeasured', ({ throughput }) => plusMinus(throughput)),
    onPage(
      intervalColumn('rate', 'at least, most', {
        ...{ rows, scale: 'linear', base: 0 },
        of: ({ summary }) => figuresIn(summary)?.throughput,
        mark: ({ predicted }) => predicted?.throughput,
      }),
    ),
    amount('rate', '\nreached', ({ reached }) => percentRange(reached)),
    ...(hasSpeedUp ? [times('speed-up over\nsingle')] : []),
    cpuColumn(rows),
    amount('latency', 'latency, ms\npredicted', ({ predicted }) => {
      return predicted && `≥ ${milliseconds(predicted.responseNs)}`;
    }),
    latency('\nmean', 'mean'),
    latency('\np50', 'p50'),
    latency('\np97.5', 'p97_5'),
    latency('\np99', 'p99'),
    latency('\nmax', 'max'),
    memory('memory', 'MB of\nworkers', 'server'),
    ...(hasManager ? [memory('memory', 'MB of\nmanager', 'manager')] : []),
  ];
}

/** In ms, or in µs where that suits any of them better. */
function cpuColumn(rows: readonly Row[]): Column<Row> {
  const isShort = rows.some(({ summary }) => {
    const figures = figuresIn(summary);
    const ns = figures && pointOf(figures.cpuPerRequest);
    return ns !== null && ns < 1e6;
  });
  const { unit, scale } = isShort ? { unit: 'µs', scale: 1e3 } : { unit: 'ms', scale: 1e6 };
  return figure('cost', `CPU\n${unit}/request`, ({ cpuPerRequest }) => {
    return plusMinus(cpuPerRequest, scale);
  });
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
