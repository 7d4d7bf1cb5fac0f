import type { Machine } from '../machine.ts';
import type { Failure, RunRecord } from '../record.ts';
import { pointOf } from '../statistics.ts';
import type {
  CellSummary,
  Condition,
  Figures,
  Overhead,
  PublishedComparison,
  Summary,
  TopologyComparison,
} from '../summary.ts';
import { detailTables } from './details.ts';
import { renderFailure } from './failure.ts';
import {
  count,
  duration,
  megabytes,
  milliseconds,
  NONE,
  percent,
  plural,
  plusMinus,
  ratio,
  ratioRange,
  signedPlusMinus,
} from './format.ts';
import { conditionName, loadName, topologyName } from './names.ts';
import { section } from './section.ts';
import {
  conditionSentence,
  overheadSentence,
  publishedSentence,
  topologySentence,
} from './sentences.ts';
import { type Column, type Look, renderTable } from './table.ts';
import { wrap } from './wrap.ts';

/** The whole report of a run, for a terminal or a file. */
export function renderReport(summary: Summary, look: Look, options: { details: boolean }): string {
  const sections = [
    renderHead(summary.record, look),
    ...summary.conditions.map((condition) => conditionTable(condition, summary.record, look)),
    ...(options.details ? detailTables(summary.conditions, look) : []),
    ...(summary.overheads ? [overheadTable(summary.overheads, look)] : []),
    ...(summary.topologies ? [topologyTable(summary.topologies, look)] : []),
    ...(summary.published ? [publishedTable(summary.published, look)] : []),
    ...summary.record.failures.map((failure) => {
      return renderFailure(failureText(failure, summary.record), failure.lastWords, look);
    }),
    renderFoot(summary, look),
  ];
  return `${sections.join('\n\n')}\n`;
}

function renderHead(record: RunRecord, look: Look): string {
  const { plan, machine } = record;
  const rounds = plan.launches[0]?.[0]?.rounds.length ?? 0;
  const launches = plural(plan.launches.length, 'launch', 'launches');
  const slice = `${Number((plan.sliceNs / 1e9).toFixed(3))} s`;
  const method =
    plan.method === 'sliced'
      ? `${launches} × ${plural(rounds, 'slice')} of ${slice} for each cell, dealt round-robin`
      : `${launches} of ${slice} unbroken for each cell`;
  const state = record.state === 'complete' ? '' : ` ${UNFINISHED[record.state]}`;
  const text = `Measured on ${machineText(machine)} ${method}; seed ${plan.seed}; ${record.startedAt}.${state}`;
  return `${look.bold(`overhead ${plan.suite}`)}\n${wrap(text, look.width)}`;
}

const UNFINISHED = {
  interrupted: 'This run was ended before it was complete.',
  running: 'This run was not complete when it was saved.',
};

function machineText(machine: Machine): string {
  const { cpuModel, cores, hypervisor, governor, kernel, versions } = machine;
  const parts = [
    `${cpuModel}, ${plural(cores.length, 'core')}`,
    ...(hypervisor ? [`under ${hypervisor}`] : []),
    ...(governor ? [`governor ${governor}`] : []),
    `${machine.platform} ${kernel}`,
    `Node ${versions.node}`,
  ];
  return `${parts.join(', ')}.`;
}

const NAME = { head: 'target', cell: ({ target }: CellSummary) => target.label };

function conditionTable(condition: Condition, record: RunRecord, look: Look): string {
  const contiguous = record.plan.method === 'contiguous';
  const reached = condition.cells.some(({ outcome }) => outcome.state !== 'not reached');
  const columns = conditionColumns(condition, contiguous);
  const table = reached ? renderTable(NAME, columns, condition.cells, look) : '';
  return section(conditionName(condition), table, conditionSentence(condition, contiguous), look);
}

function conditionColumns(condition: Condition, contiguous: boolean): Column<CellSummary>[] {
  const manager = condition.topology.workers !== null;
  const floor = condition.cells.some(({ outcome }) => {
    return outcome.state === 'measured' && outcome.figures.timesFloor.kind !== 'none';
  });
  const latency = (head: string, pick: keyof NonNullable<Figures['latency']>) =>
    figure('latency', `${head}\nms`, (figures) =>
      figures.latency ? milliseconds(figures.latency[pick]) : NONE,
    );
  return [
    {
      group: 'rate',
      head: 'requests/s',
      cell: ({ outcome }) => {
        if (outcome.state !== 'measured') return outcome.state;
        return plusMinus(outcome.figures.throughput);
      },
    },
    figure('rate', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
    ...(floor
      ? [
          figure('rate', '× the\nfloor', ({ timesFloor }) => {
            const value = pointOf(timesFloor);
            return value === null ? NONE : ratio(value);
          }),
        ]
      : []),
    ...(contiguous
      ? [
          figure('latency', 'latency of those\nanswered', ({ answered }) => {
            return `${count(answered.ok)} of ${count(answered.sent)}`;
          }),
        ]
      : []),
    latency('average', 'mean'),
    latency('p50', 'p50'),
    latency('p97.5', 'p97_5'),
    latency('p99', 'p99'),
    latency('max', 'max'),
    figure('volume', 'total\n2xx', ({ ok }) => count(ok)),
    figure('volume', 'read\nMB', ({ bytes }) => megabytes(bytes)),
    figure('volume', 'bytes/\nresponse', ({ bytesPerResponse }) =>
      bytesPerResponse === null ? NONE : count(bytesPerResponse),
    ),
    figure('volume', 'errors', ({ errors }) => count(errors)),
    figure('volume', 'time-\nouts', ({ timeouts }) => count(timeouts)),
    figure('volume', 'PSS\nMB', ({ memory }) => megabytes(memory.server)),
    ...(manager
      ? [figure('volume', 'pm2\nMB', ({ memory }: Figures) => megabytes(memory.manager))]
      : []),
  ];
}

function figure(
  group: string,
  head: string,
  cell: (figures: Figures) => string,
): Column<CellSummary> {
  return {
    group,
    head,
    cell: ({ outcome }) => (outcome.state === 'measured' ? cell(outcome.figures) : NONE),
  };
}

function overheadTable({ rows, condition }: NonNullable<Summary['overheads']>, look: Look): string {
  const columns: Column<Overhead>[] = [
    { group: '', head: 'over', text: true, cell: ({ over }) => over.label },
    {
      group: '',
      head: 'CPU µs/request more',
      cell: ({ cpuNs }) => signedPlusMinus(cpuNs, 1000),
    },
    { group: '', head: 'times', cell: ({ ratio: times }) => ratioRange(times) },
  ];
  const name = { head: 'target', cell: ({ target }: Overhead) => target.label };
  const table = renderTable(name, columns, rows, look);
  const heading = `Overhead, read ${conditionName(condition)}`;
  return section(heading, table, overheadSentence(rows), look);
}

function topologyTable({ rows, load }: NonNullable<Summary['topologies']>, look: Look): string {
  const topologies = rows[0]?.entries.map(({ topology }) => topology) ?? [];
  const columns = topologies.flatMap((topology): Column<TopologyComparison>[] => {
    const name = topologyName(topology);
    const pick = (cell: (entry: TopologyComparison['entries'][number]) => string) => {
      return ({ entries }: TopologyComparison) => {
        const entry = entries.find((each) => each.topology.id === topology.id);
        return entry ? cell(entry) : NONE;
      };
    };
    return [
      {
        group: name,
        head: `${name}\nrequests/s`,
        cell: pick(({ throughput }) => plusMinus(throughput)),
      },
      {
        group: name,
        head: 'CPU\nµs/request',
        cell: pick(({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
      },
      ...(topology.workers === null
        ? []
        : [
            {
              group: name,
              head: 'speed-up over\nsingle',
              cell: pick(({ speedUp }) => ratioRange(speedUp)),
            },
          ]),
    ];
  });
  const name = { head: 'target', cell: ({ target }: TopologyComparison) => target.label };
  const table = renderTable(name, columns, rows, look);
  return section(`Topologies, ${loadName(load)}`, table, topologySentence(rows), look);
}

function publishedTable(
  { rows, source, cpu }: NonNullable<Summary['published']>,
  look: Look,
): string {
  const columns: Column<PublishedComparison>[] = [
    { group: '', head: 'published', cell: ({ published }) => ratio(published) },
    { group: '', head: 'measured here', cell: ({ measured }) => ratioRange(measured) },
  ];
  const name = { head: 'requests/s, ratio of', cell: comparisonName };
  const table = renderTable(name, columns, rows, look);
  const text = `${publishedSentence(rows)} ${source}, on: ${cpu}.`;
  return section('Published beside measured', table, text, look);
}

function comparisonName({ target, topology, base }: PublishedComparison): string {
  if (target === base.target) return `${target.label}: ${topology} to ${base.topology}`;
  return `${target.label} to ${base.target.label}`;
}

function failureText({ server, when, launch, message }: Failure, record: RunRecord): string {
  const cell = record.plan.cells.find((each) => each.server === server);
  const target = record.targets.find(({ name }) => name === cell?.target);
  const topology = record.plan.topologies.find(({ id }) => id === cell?.topology);
  const who = target && topology ? `${target.label}, ${topologyName(topology)},` : server;
  return `${who} failed at ${when} in launch ${launch + 1}: ${message}.`;
}

function renderFoot({ record, measuredNs, harnessShare }: Summary, look: Look): string {
  const { wallNs, firstTableNs, harnessPeakBytes } = record;
  const first =
    firstTableNs === null ? '' : ` First table ${duration(firstTableNs)} after the first slice.`;
  const text =
    `Measured ${duration(measuredNs)} of ${duration(wallNs)} (${percent(wallNs === 0 ? 0 : measuredNs / wallNs)}).${first} ` +
    `The harness itself used ${percent(harnessShare)} of a core inside the windows, and ${megabytes(harnessPeakBytes)} MB.`;
  return wrap(text, look.width);
}
