import type { Latency } from '../../figures/latency.ts';
import { pointOf } from '../../math/statistics.ts';
import { underWayOf } from '../../plan/loads.ts';
import type { Manager, Topology } from '../../plan/topology.ts';
import type { Overload, OverloadRow } from '../../summary/overload.ts';
import type { Scaling, ScalingStep, TargetScaling } from '../../summary/scaling.ts';
import { coresName } from '../../targets/copies.ts';
import type { Section } from '../document.ts';
import { count, duration, limit, list, number, percent, plural, ratio, time } from '../format.ts';
import { paragraph, section } from '../section.ts';
import { fewestFirst } from './steps.ts';

/** What the tables of a cluster run say, in plain words: a paragraph for each target. */
export function clusterText(scaling: Scaling, overload: Overload | null): Section[] {
  return scaling.targets.map((each) => {
    const rows = overload?.rows.filter(({ target }) => target === each.target) ?? [];
    const name = namer(each.steps.map(({ topology }) => topology));
    const sentences = [
      boundSentence(each, scaling),
      reachedSentence(each, scaling, name),
      ...(overload ? overloadSentences(overload, fewestFirst(rows), name) : []),
      wantSentence(each, scaling, name),
    ];
    const text = sentences.filter((sentence) => sentence !== '').join(' ');
    return section(`How many processes for ${each.target.label}?`, [paragraph(text)]);
  });
}

type Name = (topology: Topology) => string;

/** `2 processes`, and who keeps them where others have as many. */
function namer(topologies: Topology[]): Name {
  return (topology) => {
    const alike = topologies.filter(({ processes }) => processes === topology.processes);
    const processes = plural(topology.processes, 'process', 'processes');
    return alike.length === 1 ? processes : `${processes} (${KEEPERS[topology.manager]})`;
  };
}

const KEEPERS: Record<Manager, string> = {
  none: 'plain node',
  pm2: 'pm2',
  'pm2 with pmx': 'pm2 with pmx',
  'pm2 fork': 'pm2 fork',
  'node:cluster': 'node:cluster',
  SO_REUSEPORT: 'SO_REUSEPORT',
  'worker threads': 'worker threads',
};

function isValid({ summary: { outcome, rank } }: ScalingStep): boolean {
  return outcome.state === 'measured' && rank !== null;
}

function boundSentence({ target, service, steps }: TargetScaling, { cores: all }: Scaling): string {
  const cores = Math.min(all, target.cpuLimit ?? all);
  const serviceNs = pointOf(service.ns);
  if (serviceNs === null || !steps.some(isValid)) return '';
  const cost = `One request takes ${time(serviceNs)} of a core`;
  const most = `${number((cores / serviceNs) * 1e9)} a second`;
  return service.from === 'alone'
    ? `${cost}, so ${coresName(cores)} can answer at most ${most}, however many processes there are.`
    : `${cost} in a single process; at that cost ${coresName(cores)} would answer ${most}, were there nothing else on them.`;
}

function reachedSentence({ steps }: TargetScaling, { load }: Scaling, name: Name): string {
  const reached = fewestFirst(steps.filter(isValid)).flatMap((step) => {
    const { outcome } = step.summary;
    const perS = outcome.state === 'measured' ? pointOf(outcome.figures.throughput) : null;
    const share = pointOf(step.reached);
    return perS === null || share === null ? [] : [{ topology: step.topology, perS, share }];
  });
  if (reached.length === 0) return '';
  const parts = reached.map(({ topology, perS, share }, index) => {
    const [verb, bound] = index === 0 ? [' answered', ' of the bound'] : ['', ''];
    return `${name(topology)}${verb} ${number(perS)} (${percent(share)}${bound})`;
  });
  const underWay = plural(underWayOf(load), 'request');
  return `With ${underWay} under way, ${list(parts)} a second.`;
}

/** A topology under the overload. */
interface Overloaded extends Pick<OverloadRow, 'topology' | 'outcomes' | 'possible' | 'windowsNs'> {
  latency: Latency;
}

/** What share the overload leaves unanswered, and how that makes fewer processes seem faster. */
function overloadSentences({ load }: Overload, rows: OverloadRow[], name: Name): string[] {
  const seen = rows.flatMap(({ summary: { outcome, rank }, ...row }): Overloaded[] => {
    const latency = outcome.state === 'measured' ? outcome.figures.latency : null;
    return latency === null || rank === null || row.outcomes.sent === 0
      ? []
      : [{ ...row, latency }];
  });
  const shares = seen.map(({ outcomes }) => outcomes.answered / outcomes.sent);
  if (seen.length === 0) return [];
  const underWay = underWayOf(load);
  if (Math.min(...shares) > MOSTLY) {
    return [
      `The overload, ${count(underWay)} requests under way, is none for it: nearly all were answered.`,
    ];
  }
  const answered = seen.map(({ topology, outcomes }) => {
    const share = percent(outcomes.answered / outcomes.sent);
    return `${count(outcomes.answered)} of ${count(outcomes.sent)} sent (${share}) by ${name(topology)}`;
  });
  const fastest = Math.max(...seen.map(({ possible, windowsNs }) => (possible ?? 0) / windowsNs));
  const wait =
    fastest === 0
      ? ''
      : `: at the bound the last of them would wait for ${duration(underWay / fastest)}, and the ` +
        `generator gives each up after ${limit(load.timeoutNs)}`;
  const many = Math.max(...shares) < HARDLY ? 'Hardly any' : 'Only some';
  const survivors = seen.filter(({ latency }) => {
    return latency.mean.kind === 'above' && latency.survivors.count > 0;
  });
  return [
    `The overload keeps ${count(underWay)} requests under way${wait}.`,
    `${many} were answered: ${list(answered)}.`,
    ...(survivors.length === 0 ? [] : [seemingSentence(survivors, name)]),
    truthSentence(seen, name),
  ];
}

/** Of requests answered: more than this of all, and the overload is none; less, and it is a bad one. */
const MOSTLY = 0.9;
const HARDLY = 0.1;

/** Why the survivors' latencies can put fewer processes first. */
function seemingSentence(seen: Overloaded[], name: Name): string {
  const means = seen.map(({ topology, latency }) => {
    return `${time(latency.survivors.meanNs)} with ${name(topology)}`;
  });
  const [fooled] = seen.flatMap((few) => {
    const many = seen.findLast((other) => {
      const isMore = few.topology.processes < other.topology.processes;
      const didMore = few.outcomes.answered < other.outcomes.answered;
      return isMore && didMore && few.latency.survivors.meanNs < other.latency.survivors.meanNs;
    });
    return many ? [{ few, many }] : [];
  });
  const seeming = fooled
    ? `By that ${name(fooled.few.topology)} would beat ${name(fooled.many.topology)}, with ` +
      `${plural(fooled.few.outcomes.answered, 'answer')} against ${count(fooled.many.outcomes.answered)}: fewer ` +
      'processes seem faster where more of the late answers never come.'
    : 'That says who got an answer before the generator gave up, not how long a request takes: fewer ' +
      'processes seem faster as soon as more of their late answers never come.';
  return `The mean latency of those that were answered was ${list(means)}. ${seeming}`;
}

/** What can be said of all requests; of those without an answer, what is true of all topologies. */
function truthSentence(seen: Overloaded[], name: Name): string {
  const medians = seen.map(({ latency }) => latency.p50);
  const bounds = medians.flatMap(({ kind, ns }) => (kind === 'above' ? [ns] : []));
  const byTruth = Map.groupBy(seen, ({ latency: { p50 } }) => {
    return p50.kind === 'above'
      ? `more than half take longer than ${limit(Math.min(...bounds))}`
      : `half take no longer than ${time(p50.ns)}`;
  });
  const parts = [...byTruth].map(([truth, those]) => {
    return byTruth.size === 1
      ? `${truth}${those.length > 1 ? ', whatever the number of processes' : ''}`
      : `${truth} with ${list(those.map(({ topology }) => name(topology)))}`;
  });
  return `Of all requests sent, ${parts.join('; ')}.`;
}

/** So many times the throughput may be too much to call it the same, even where it may be chance. */
const SEEMINGLY_MORE = 1.05;

function wantSentence({ steps, wants }: TargetScaling, { cores }: Scaling, name: Name): string {
  const valid = steps.flatMap(({ topology, summary: { outcome, rank } }) => {
    const perS = outcome.state === 'measured' ? pointOf(outcome.figures.throughput) : null;
    return perS === null || rank === null ? [] : [{ topology, perS }];
  });
  const numbers = valid.map(({ topology }) => topology.processes);
  const [fewer, more] = [Math.min(...numbers), Math.max(...numbers)];
  if (valid.length === 0) return 'No valid figure says how many processes this machine wants.';
  if (fewer === more) {
    return 'One number of processes alone does not say how many this machine wants.';
  }
  if (wants === null) return 'One launch alone does not say how many processes this machine wants.';
  const [fastest] = valid.toSorted((a, b) => b.perS - a.perS);
  const times = (fastest?.perS ?? 0) / (valid.find((each) => each.topology === wants)?.perS ?? 0);
  if (fastest && times > SEEMINGLY_MORE) {
    return (
      `How many processes this machine wants is not known yet: ${name(fastest.topology)} seemed to answer ` +
      `${ratio(times)} times as many as ${name(wants)}, but that may be chance; more launches (--launches) tell.`
    );
  }
  const each = wants.processes === cores && cores > 1 ? ', one for each core that it can use' : '';
  const reasons = [
    ...(fewer < wants.processes ? ['fewer answer less'] : []),
    ...(more > wants.processes ? ['more were not shown to answer more'] : []),
    ...(more === wants.processes && more < cores ? ['more were not tried'] : []),
    ...(more === wants.processes && more >= cores ? ['more would only share the cores'] : []),
  ];
  return `So this machine wants ${name(wants)} of it${each}: ${list(reasons)}.`;
}
