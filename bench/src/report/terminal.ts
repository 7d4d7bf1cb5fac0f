import { widest } from '../figures/width.ts';
import { loadOf, topologyOf } from '../plan/plan.ts';
import { type Failure, type RunRecord, targetOf } from '../record/record.ts';
import type { Summary } from '../summary/summary.ts';
import type { Code } from '../validity/flags.ts';
import { clusterText } from './cluster-text.ts';
import { overheadTable, publishedTable, topologyTable } from './comparison-tables.ts';
import { conditionTable } from './condition-table.ts';
import { detailTables } from './details.ts';
import { renderFailure } from './failure.ts';
import { duration, megabytes, percent, plural } from './format.ts';
import { renderHead, serverName } from './head.ts';
import { loadWords, topologyName } from './names.ts';
import { flagsBeside, legend } from './notes.ts';
import { overloadTable } from './overload-table.ts';
import { rateTables } from './rate-tables.ts';
import { scalingTable } from './scaling-table.ts';
import type { Look } from './table.ts';
import { taxTable } from './tax-table.ts';
import { truthTable } from './truth-table.ts';
import { wrap } from './wrap.ts';

/** The whole report of a run, for a terminal or a file. */
export function renderReport(summary: Summary, look: Look, options: { details: boolean }): string {
  const sections = [
    renderHead(summary.record, look),
    ...(summary.truth ? [truthTable(summary.truth, look)] : []),
    ...mainTables(summary, look),
    ...(options.details ? detailTables(summary.conditions, look) : []),
    ...(summary.published ? [publishedTable(summary.published, summary.record.plan, look)] : []),
    ...summary.record.failures.map((failure) => {
      return renderFailure(failureText(failure, summary.record), failure.lastWords, look);
    }),
    legend(codesOf(summary), look),
    renderFoot(summary, look),
  ];
  return `${sections.filter((each) => each !== '').join('\n\n')}\n`;
}

/** The tables that the kind of run is about. */
function mainTables(summary: Summary, look: Look): string[] {
  if (summary.scaling) return clusterTables(summary, look);
  if (summary.rates) {
    const { rates, overheads } = summary;
    return [...rateTables(rates, look), ...(overheads ? [overheadTable(overheads, look)] : [])];
  }
  if (summary.tax) return summary.tax.map((tax) => taxTable(tax, look));
  return conditionTables(summary, look);
}

function conditionTables({ conditions, overheads, topologies }: Summary, look: Look): string[] {
  return [
    ...conditions.map((condition) => conditionTable(condition, look)),
    ...(overheads ? [overheadTable(overheads, look)] : []),
    ...(topologies ? [topologyTable(topologies, look)] : []),
  ];
}

function clusterTables({ scaling, overload, conditions }: Summary, look: Look): string[] {
  const alone = conditions.flatMap(({ load, cells }) => (load.id === 'alone' ? cells : []));
  return [
    ...(scaling ? [scalingTable(scaling, alone, look)] : []),
    ...(overload ? [overloadTable(overload, look)] : []),
    ...(scaling ? [clusterText(scaling, overload, look)] : []),
  ];
}

function codesOf({ conditions, overheads }: Summary): Set<Code> {
  const inTables = conditions.flatMap(({ cells }) => cells.flatMap(flagsBeside));
  const all = [...inTables, ...(overheads?.rows ?? []).flatMap(({ flags }) => flags)];
  return new Set(all.map(({ code }) => code));
}

function failureText({ server, when, launch, message }: Failure, record: RunRecord): string {
  return `${serverName(record, server)} failed at ${when} in launch ${launch + 1}: ${message}.`;
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
  const load = loadWords(loadOf(plan, cell.load));
  const who = `${targetOf(record, cell.target).label}, ${topology}, ${load},`;
  const known = Number.isFinite(share) ? percent(share) : '?';
  return `Ended at --max-time after ${launches}; ${who} is still known to ±${known} only (${asked} was asked for). `;
}
