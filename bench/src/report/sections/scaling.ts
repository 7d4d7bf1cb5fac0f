import { pointOf } from '../../math/statistics.ts';
import { underWayOf } from '../../plan/loads.ts';
import type { CellSummary } from '../../summary/conditions.ts';
import type { Scaling, ScalingStep, TargetScaling } from '../../summary/scaling.ts';
import type { Target } from '../../targets/targets.ts';
import type { Section } from '../document.ts';
import {
  latencyTime,
  megabytes,
  memoryText,
  milliseconds,
  NONE,
  number,
  percent,
  percentRange,
  plural,
  plusMinus,
  ratioRange,
  timePlusMinus,
} from '../format.ts';
import { loadFlags } from '../names.ts';
import { Notes, without } from '../notes.ts';
import { isUnreached, paragraph, section, unreachedSection } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';
import { fewestFirst, stepName } from './steps.ts';

/** A topology of a target, as a row. */
interface Row extends ScalingStep {
  target: Target;
}

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
  if (isUnreached(rows.map(({ summary }) => summary))) return unreachedSection(heading);
  const labelOf = ({ target, topology }: Row) => stepName(target, topology, targets.length);
  const notes = new Notes([
    ...rows.map((row) => ({ label: labelOf(row), flags: row.summary.flags })),
    ...alone.map(({ target, flags }) => ({
      label: `requests alone to ${target.label}`,
      // The sentence says how well a service time is known.
      flags: without('INCONCLUSIVE', flags),
    })),
  ]);
  const columns = [
    ...scalingColumns(rows),
    ...notes.column<Row>('memory', ({ summary }) => summary.flags),
  ];
  const table = tableOf({ head: 'processes', cell: labelOf }, columns, rows);
  const isLimited = targets.some(({ target }) => target.cpuLimit !== null);
  const limits = isLimited ? ', or the CPU limit where that is less' : '';
  const text = [
    ...targets.map((each) => serviceSentence(each, targets.length)),
    `Predicted are bounds, for ${underWay} under way and ${plural(cores, 'core')}${limits}: at most ` +
      'min(processes, cores) ÷ service time a second, and on average a latency of at least requests under ' +
      'way × service time ÷ min(processes, cores). Reached is what was measured of the requests/s predicted.',
  ].join(' ');
  return section(heading, [table, ...notes.blocks(), paragraph(text)], notes.codes);
}

const { leading, figure, latency, quantiles } = columnsOfCells<Row>(({ summary }) => summary);

function scalingColumns(rows: Row[]): Column<Row>[] {
  const hasManager = rows.some(({ topology }) => topology.manager !== 'none');
  const hasSpeedUp = rows.some(({ speedUp }) => speedUp !== null);
  return [
    {
      group: 'rate',
      head: 'requests/s\npredicted',
      cell: ({ predicted }) => (predicted ? `≤ ${number(predicted.throughput)}` : NONE),
    },
    leading('rate', '\nmeasured', ({ throughput }) => plusMinus(throughput)),
    { group: 'rate', head: '\nreached', cell: ({ reached }) => percentRange(reached) },
    ...(hasSpeedUp
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
    latency('\nmean', ({ mean }) => latencyTime(mean)),
    ...quantiles((name) => `\n${name}`),
    figure('memory', 'MB of\nworkers', ({ memory }) => memoryText(memory.server)),
    ...(hasManager
      ? [
          figure('memory', 'MB of\nmanager', ({ memory }) => {
            return memory.manager === 0 ? NONE : megabytes(memory.manager);
          }),
        ]
      : []),
  ];
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
