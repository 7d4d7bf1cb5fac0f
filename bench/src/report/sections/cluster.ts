import { THROUGHPUT } from '../../figures/figures.ts';
import { pointOf } from '../../math/statistics.ts';
import { underWayOf } from '../../plan/loads.ts';
import type { Topology } from '../../plan/topology.ts';
import type { Overload, Scaling, ScalingStep, TargetScaling } from '../../summary/scaling.ts';
import { type CellSummary, isGeneratorBound } from '../../summary/summary.ts';
import { coresName } from '../../targets/copies.ts';
import { amount, type Column, type Naming, type Section } from '../document.ts';
import { intervals, onPage } from '../drawings.ts';
import {
  count,
  duration,
  limit,
  milliseconds,
  number,
  percent,
  percentRange,
  plural,
  plusMinus,
  ratio,
  sentences,
  time,
  timePlusMinus,
} from '../format.ts';
import { loadFlags, rowName, topologyName } from '../names.ts';
import { cellSection, section } from '../section.ts';
import { comparisonColumns, cpu, figure, latency, leading, memory, throughput } from './columns.ts';
import { managerName } from './comparisons.ts';

function namingOf(rows: readonly CellSummary[]): Naming<CellSummary> {
  const isOne = new Set(rows.map(({ target }) => target)).size === 1;
  const nameOf = ({ target, topology }: CellSummary) => {
    return isOne ? topologyName(topology) : rowName(target, topology);
  };
  return ['processes', nameOf];
}

/** Measured and predicted figures; the flags shown include those of requests alone, which predictions are based on. */
export function scalingSection({ load, cores, alone, targets }: Scaling): Section {
  const inFlight = plural(underWayOf(load), 'request');
  const heading = `Feasible load: ${inFlight} in flight, all of which can be answered (${loadFlags(load)})`;
  const rows = targets.flatMap(({ steps }) => steps);
  const naming = namingOf(rows);
  const [, nameOf] = naming;
  const isLimited = targets.some(({ target }) => target.cpuLimit !== null);
  const limits = isLimited ? ', or the CPU limit where that is lower' : '';
  return cellSection(heading, {
    name: naming,
    columns: scalingColumns(rows),
    rows,
    flagGroup: 'memory',
    noted: [
      ...rows.map((row) => ({ label: nameOf(row), flags: row.flags })),
      ...alone.map(({ target, flags }) => ({
        label: `requests alone to ${target.label}`,
        // The service time has its own interval.
        flags: flags.filter(({ code }) => code !== 'INCONCLUSIVE'),
      })),
    ],
    text: [
      ...targets.map((each) => serviceSentence(each, targets.length)),
      `Predicted are bounds for ${inFlight} in flight and ${plural(cores, 'core')}${limits}: requests/s of at most ` +
        'min(processes, cores) ÷ service time, and a mean latency of at least requests in flight × service time ÷ ' +
        'min(processes, cores). Reached is the measured share of the predicted requests/s.',
    ],
  });
}

function scalingColumns(rows: readonly ScalingStep[]): Column<ScalingStep>[] {
  const hasManager = rows.some(({ topology }) => topology.manager !== 'none');
  const { times } = comparisonColumns<ScalingStep>('rate', ({ comparison }) => comparison);
  const hasSpeedUp = rows.some(({ comparison }) => comparison !== null);
  const throughputOf = ({ figures }: ScalingStep) => figures?.throughput;
  const predictedOf = ({ predicted }: ScalingStep) => predicted?.throughput;
  return [
    amount('rate', 'requests/s\npredicted', ({ predicted }) => {
      return predicted && `≤ ${number(predicted.throughput)}`;
    }),
    leading(throughput('rate', '\nmeasured')),
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
function cpuColumn(rows: readonly CellSummary[]): Column<CellSummary> {
  const isShort = rows.some(({ figures }) => {
    const ns = pointOf(figures?.cpuPerRequest);
    return ns !== null && ns < 1e6;
  });
  if (isShort) return cpu('cost');
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

/** The outcomes of the requests of an overload, and what is known of their latency. */
export function overloadSection({ load, rows }: Overload, isPublished: boolean): Section {
  const title = isPublished ? 'Overload, as published' : 'Overload';
  const heading = `${title}: ${loadFlags(load)}, ${duration(load.sliceNs)} in each launch`;
  return cellSection(heading, {
    name: namingOf(rows),
    columns: overloadColumns(rows),
    rows,
    flagGroup: 'latency',
    // The table itself shows how many requests had no answer.
    flagsOf: ({ flags }) => flags.filter(({ code }) => code !== 'CENSORED'),
    text: [
      'Never answered: still waiting when the load ended. Latency is that of all requests sent; one without an answer counts as ' +
        'longer than it waited (Kaplan–Meier estimate), so a figure among those is a lower bound. ' +
        "Survivors' mean: of the answered requests alone, as published; crossed out where others got no answer, since it then " +
        'says nothing of the server. Most possible: by the bound of the table above, in all windows. Work done per answer: CPU ' +
        'time for each answer received, in requests of the feasible load; what is above 1 was done for clients that had left.',
    ],
  });
}

type OverloadRow = Overload['rows'][number];

function overloadColumns(rows: readonly OverloadRow[]): Column<OverloadRow>[] {
  type Name = keyof OverloadRow['outcomes'];
  const outcome = (head: string, name: Name) => {
    return figure<OverloadRow>('outcomes', head, (_, { outcomes }) => count(outcomes[name]));
  };
  const whereAny = (head: string, name: Name) => {
    return rows.some(({ outcomes }) => outcomes[name]) ? [outcome(head, name)] : [];
  };
  // Launches in which a server had not settled are left out.
  const launchCounts = new Set(rows.flatMap(({ figures }) => figures?.slices ?? []));
  const launches = figure<OverloadRow>('outcomes', 'launches', ({ slices }) => count(slices));
  return [
    ...(launchCounts.size > 1 ? [launches] : []),
    leading(outcome('sent', 'sent')),
    outcome('answered', 'answered'),
    ...whereAny('wrong\nanswer', 'wrong'),
    outcome('timed\nout', 'timedOut'),
    ...whereAny('lost with a\nconnection', 'disconnected'),
    outcome('never\nanswered', 'neverAnswered'),
    figure('share', 'answered\nof sent', (_, { outcomes: { answered, sent } }) => {
      return sent === 0 ? null : percent(answered / sent);
    }),
    figure('share', 'most\npossible', (_, { possible }) => {
      return possible === null ? null : `≤ ${number(possible)}`;
    }),
    figure('share', 'work done\nper answer', (_, { workPerAnswer }) => {
      return workPerAnswer === null ? null : `${number(workPerAnswer)} ×`;
    }),
    latency('p50'),
    latency('p99'),
    latency('mean'),
    figure('latency', "survivors'\nmean, ms", ({ latency: times }) => {
      if (times === null || times.survivors.count === 0) return null;
      const text = milliseconds(times.survivors.meanNs);
      return times.mean.kind === 'known' ? text : { text, emphasis: 'struck' };
    }),
  ];
}

/** Conclusions from the tables of a cluster run: a paragraph for each target. */
export function clusterText(scaling: Scaling, overload: Overload | null): Section[] {
  return scaling.targets.map((each) => {
    /** The numbers of processes with valid figures. */
    const numbers = each.steps.flatMap(({ topology, rank }) => (rank ? [topology.processes] : []));
    const text = sentences(
      numbers.length === 0 ? null : boundText(each, scaling),
      ...(overload ? overloadText(overload, each) : []),
      wantText(each, numbers, scaling.cores),
    );
    return section(`How many processes for ${each.target.label}?`, [text]);
  });
}

/** `2 processes`, with the process manager where several topologies have as many. */
function nameOf({ processes, manager }: Topology, { steps }: TargetScaling): string {
  const alike = steps.filter(({ topology }) => topology.processes === processes);
  const name = plural(processes, 'process');
  return alike.length === 1 ? name : `${name} (${managerName(manager)})`;
}

function boundText({ target, service }: TargetScaling, scaling: Scaling): string | null {
  const serviceNs = pointOf(service.ns);
  if (serviceNs === null) return null;
  const cores = Math.min(scaling.cores, target.cpuLimit ?? scaling.cores);
  const [where, unless] =
    service.from === 'alone'
      ? ['', 'with any number of processes']
      : [' in a single process', 'if nothing else runs on them'];
  const most = `${coresName(cores)} can answer at most ${number((cores / serviceNs) * 1e9)} requests/s`;
  return `A request takes ${time(serviceNs)} of CPU${where}, so ${most}, ${unless}.`;
}

/** How long requests wait in the overload, and how that can make fewer processes seem faster. */
function overloadText({ load, rows }: Overload, scaling: TargetScaling): string[] {
  const valid = rows.flatMap((row) => {
    const latency = row.figures?.latency;
    if (row.target !== scaling.target || !latency || row.rank === null) return [];
    const { mean, survivors } = latency;
    const meanNs = mean.kind === 'above' && survivors.count > 0 ? survivors.meanNs : null;
    const perS = (row.outcomes.answered / row.windowsNs) * 1e9;
    return [{ ...row, ...row.outcomes, perS, meanNs, name: nameOf(row.topology, scaling) }];
  });
  if (valid.every(({ sent }) => sent === 0)) return [];
  const [fooled] = valid.flatMap((few) => {
    const many = valid.findLast(({ topology, perS, meanNs }) => {
      const isMore = few.topology.processes < topology.processes && few.perS < perS;
      return isMore && few.meanNs !== null && meanNs !== null && few.meanNs < meanNs;
    });
    return many ? [{ few, many }] : [];
  });
  const inFlight = underWayOf(load);
  const fastest = Math.max(...valid.map(({ possible, windowsNs }) => (possible ?? 0) / windowsNs));
  const wait = `at the bound the last of them would wait ${duration(inFlight / fastest)}, and `;
  const keeps =
    `The overload keeps ${count(inFlight)} requests in flight: ${fastest > 0 ? wait : ''}the generator gives each up after ` +
    `${limit(load.timeoutNs)}.`;
  if (fooled === undefined) return [keeps];
  const { few, many } = fooled;
  const means = [few, many].map(({ meanNs }) => time(meanNs ?? 0)).join(' against ');
  return [
    keeps,
    `By the mean of the answered requests alone (${means}), ${few.name} would beat ${many.name}, with ` +
      `${number(few.perS)} answers/s against ${number(many.perS)}: late answers that never came are not in it.`,
  ];
}

/** From this ratio of requests/s on, a faster topology is mentioned even if the difference may be chance. */
const SEEMINGLY_MORE = 1.05;

function wantText(scaling: TargetScaling, numbers: readonly number[], cores: number): string {
  const { wants } = scaling;
  const [fewest, most] = [Math.min(...numbers), Math.max(...numbers)];
  const unknown = (why: string) => `How many processes to run is not known: ${why}.`;
  if (numbers.length === 0) return unknown('no figure is valid');
  if (fewest === most) {
    const isAlone = scaling.steps.every(({ topology }) => topology.processes === fewest);
    const what = isAlone ? 'was measured' : 'has valid figures';
    return unknown(`only one number of processes ${what}`);
  }
  if (scaling.steps.some((step) => isGeneratorBound(step, THROUGHPUT))) {
    return unknown('the generator was the limit of some, which may answer more');
  }
  if (wants === null) return unknown('one launch is not enough');
  const { times, fastest } = wants;
  const { processes } = wants.topology;
  const best = nameOf(wants.topology, scaling);
  if (times > SEEMINGLY_MORE) {
    return unknown(
      `${nameOf(fastest, scaling)} seemed to answer ${ratio(times)} times as much as ${best}, which may be chance; more ` +
        'launches (--launches) can tell',
    );
  }
  const each = processes === cores && cores > 1 ? ', one per usable core' : '';
  const fewer = fewest < processes ? 'fewer answer less, and ' : '';
  const tried = Math.max(...scaling.steps.map(({ topology }) => topology.processes));
  const invalid = tried > processes ? 'have no valid figure' : 'were not tried';
  const more = most > processes ? 'were not shown to answer more' : invalid;
  return `Run ${best}${each}: ${fewer}more ${more}.`;
}
