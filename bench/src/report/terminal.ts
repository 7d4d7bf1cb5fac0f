import { topologyOf } from '../plan.ts';
import { type Failure, type RunRecord, targetOf } from '../record.ts';
import type { Summary } from '../summary.ts';
import type { Code } from '../validity.ts';
import { widest } from '../width.ts';
import { overheadTable, publishedTable, topologyTable } from './comparison-tables.ts';
import { conditionTable } from './condition-table.ts';
import { detailTables } from './details.ts';
import { renderFailure } from './failure.ts';
import { duration, megabytes, percent, plural } from './format.ts';
import { machineText } from './machine-text.ts';
import { topologyName } from './names.ts';
import { legend } from './notes.ts';
import type { Look } from './table.ts';
import { truthTable } from './truth-table.ts';
import { wrap } from './wrap.ts';

/** The whole report of a run, for a terminal or a file. */
export function renderReport(summary: Summary, look: Look, options: { details: boolean }): string {
  const sections = [
    renderHead(summary.record, look),
    ...(summary.truth ? [truthTable(summary.truth, look)] : []),
    ...summary.conditions.map((condition) => conditionTable(condition, summary.record, look)),
    ...(options.details ? detailTables(summary.conditions, look) : []),
    ...(summary.overheads ? [overheadTable(summary.overheads, look)] : []),
    ...(summary.topologies ? [topologyTable(summary.topologies, look)] : []),
    ...(summary.published ? [publishedTable(summary.published, look)] : []),
    ...summary.record.failures.map((failure) => {
      return renderFailure(failureText(failure, summary.record), failure.lastWords, look);
    }),
    legend(codesOf(summary), look),
    renderFoot(summary, look),
  ];
  return `${sections.filter((each) => each !== '').join('\n\n')}\n`;
}

function codesOf({ conditions, overheads }: Summary): Set<Code> {
  const rows = [...conditions.flatMap(({ cells }) => cells), ...(overheads?.rows ?? [])];
  return new Set(rows.flatMap(({ flags }) => flags.map(({ code }) => code)));
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
    `${untilSentence(record)}Measured ${duration(measuredNs)} of ${duration(wallNs)} (${percent(wallNs === 0 ? 0 : measuredNs / wallNs)}).${first} ` +
    `The harness itself used ${percent(harnessShare)} of a core inside the windows, and ${megabytes(harnessPeakBytes)} MB.`;
  return wrap(text, look.width);
}

/** What `--until` came to, with a space after it; empty where it was not given, or the run was cut short. */
function untilSentence(record: RunRecord): string {
  const { state, plan } = record;
  const least = widest(record);
  if (plan.until === null || state !== 'complete' || least === null) return '';
  const asked = `±${Number((plan.until.share * 100).toPrecision(3))} %`;
  const launches = plural(plan.launches.length, 'launch', 'launches');
  if (least.share <= plan.until.share) {
    return `Went on until every ratio was known to ${asked}: ${launches}. `;
  }
  const { cell, share } = least;
  const topology = topologyName(topologyOf(plan, cell.topology));
  const who = `${targetOf(record, cell.target).label}, ${topology}, ${cell.load} load,`;
  const known = Number.isFinite(share) ? percent(share) : '?';
  return `Ended at --max-time after ${launches}; ${who} is still known to ±${known} only (${asked} was asked for). `;
}
