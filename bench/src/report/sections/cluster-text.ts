import { pointOf } from '../../math/statistics.ts';
import { underWayOf } from '../../plan/loads.ts';
import type { Topology } from '../../plan/topology.ts';
import type { Overload, Scaling, TargetScaling } from '../../summary/scaling.ts';
import { coresName } from '../../targets/copies.ts';
import type { Section } from '../document.ts';
import { count, duration, limit, number, plural, ratio, time } from '../format.ts';
import { paragraph, section } from '../section.ts';
import { figuresIn } from './columns.ts';
import { fewestFirst } from './scaling.ts';
import { managerName } from './tax.ts';

/** Conclusions from the tables of a cluster run: a paragraph for each target. */
export function clusterText(scaling: Scaling, overload: Overload | null): Section[] {
  return scaling.targets.map((each) => {
    const steps = validSteps(each);
    const sentences = [
      ...(steps.length === 0 ? [] : boundText(each, scaling)),
      ...(overload ? overloadText(overload, each) : []),
      wantText(each, steps, scaling.cores),
    ];
    const heading = `How many processes for ${each.target.label}?`;
    return section(heading, [paragraph(sentences.join(' '))]);
  });
}

/** `2 processes`, with the process manager where several topologies have as many. */
function nameOf({ processes, manager }: Topology, { steps }: TargetScaling): string {
  const alike = steps.filter(({ topology }) => topology.processes === processes);
  const name = plural(processes, 'process', 'processes');
  return alike.length === 1 ? name : `${name} (${managerName(manager)})`;
}

/** The topologies with valid figures, the fewest processes first. */
function validSteps(scaling: TargetScaling) {
  return fewestFirst(scaling.steps).flatMap(({ topology, summary }) => {
    const figures = figuresIn(summary);
    const perS = figures && pointOf(figures.throughput);
    if (perS === null || summary.rank === null) return [];
    return [{ topology, name: nameOf(topology, scaling), perS }];
  });
}

type ValidStep = ReturnType<typeof validSteps>[number];

function boundText({ target, service }: TargetScaling, scaling: Scaling): string[] {
  const serviceNs = pointOf(service.ns);
  if (serviceNs === null) return [];
  const cores = Math.min(scaling.cores, target.cpuLimit ?? scaling.cores);
  const [where, unless] =
    service.from === 'alone'
      ? ['', 'with any number of processes']
      : [' in a single process', 'if nothing else runs on them'];
  const most = `${coresName(cores)} can answer at most ${number((cores / serviceNs) * 1e9)} requests/s`;
  return [`A request takes ${time(serviceNs)} of CPU${where}, so ${most}, ${unless}.`];
}

/** How long requests wait in the overload, and how that can make fewer processes seem faster. */
function overloadText({ load, rows }: Overload, scaling: TargetScaling): string[] {
  const valid = fewestFirst(rows).flatMap(({ summary, target, outcomes, ...row }) => {
    const latency = figuresIn(summary)?.latency;
    if (target !== scaling.target || !latency || summary.rank === null) return [];
    const { mean, survivors } = latency;
    const meanNs = mean.kind === 'above' && survivors.count > 0 ? survivors.meanNs : null;
    return [{ ...row, ...outcomes, meanNs, name: nameOf(row.topology, scaling) }];
  });
  if (valid.every(({ sent }) => sent === 0)) return [];
  const [fooled] = valid.flatMap((few) => {
    const many = valid.findLast(({ topology, answered, meanNs }) => {
      const isMore = few.topology.processes < topology.processes && few.answered < answered;
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
      `${plural(few.answered, 'answer')} against ${count(many.answered)}: late answers that never came are not in it.`,
  ];
}

/** From this ratio of requests/s on, a faster topology is mentioned even if the difference may be chance. */
const SEEMINGLY_MORE = 1.05;

function wantText(scaling: TargetScaling, steps: readonly ValidStep[], cores: number): string {
  const { wants } = scaling;
  const numbers = steps.map(({ topology }) => topology.processes);
  const [fewest, most] = [Math.min(...numbers), Math.max(...numbers)];
  const [fastest] = steps.toSorted((a, b) => b.perS - a.perS);
  const unknown = (why: string) => `How many processes to run is not known: ${why}.`;
  if (fastest === undefined) return unknown('no figure is valid');
  if (fewest === most) return unknown('only one number of processes was measured');
  const best = steps.find(({ topology }) => topology === wants);
  if (wants === null || best === undefined) return unknown('one launch is not enough');
  const times = fastest.perS / best.perS;
  if (times > SEEMINGLY_MORE) {
    return unknown(
      `${fastest.name} seemed to answer ${ratio(times)} times as much as ${best.name}, which may be chance; more launches ` +
        '(--launches) can tell',
    );
  }
  const each = wants.processes === cores && cores > 1 ? ', one per usable core' : '';
  const fewer = fewest < wants.processes ? 'fewer answer less, and ' : '';
  const more = most > wants.processes ? 'shown to answer more' : 'tried';
  return `Run ${best.name}${each}: ${fewer}more were not ${more}.`;
}
