import { LONE_SHARE, type Load } from '../plan/loads.ts';
import type { Plan } from '../plan/plan.ts';
import { type RunRecord, targetOf } from '../record/record.ts';
import { runtimesOf } from '../summary/runtimes.ts';
import type { Machine } from '../system/machine.ts';
import {
  coresName,
  limitsOf,
  memoryName,
  withoutLimit,
  withoutRuntime,
} from '../targets/copies.ts';
import { runtimeName } from '../targets/runtime.ts';
import type { Target } from '../targets/targets.ts';
import type { Head } from './document.ts';
import { count, list, number, percent, perSecond, plural, time } from './format.ts';
import { machineText } from './machine-text.ts';
import { loadWords, rowName, topologyName } from './names.ts';

/** What was measured, on what, how and when; and what has to be known before the figures are read. */
export function runHead(record: RunRecord): Head {
  const { plan, state } = record;
  const intro = [
    measuredText({ ...record, seed: plan.seed }, methodText(plan)),
    coresSentence(record),
    ...runtimeSentence(record),
    ...limitSentence(record),
    ...basisSentence(record),
    ...(state === 'complete' ? [] : [UNFINISHED[state]]),
  ];
  return {
    title: titleOf(record.suite),
    intro: [intro.join(' ')],
    warnings: maxWarning(record),
  };
}

/** The head of a study of the harness itself; `amount` is how much was measured. */
export function studyHead(
  name: string,
  record: Measured,
  { amount, isComplete }: { amount: string; isComplete: boolean },
): Head {
  const end = isComplete ? '' : ' This run is not complete.';
  const intro = `${measuredText(record, amount)}${end}`;
  return { title: titleOf(name), intro: [intro], warnings: [] };
}

/** `6 slices of 0.5 s`. */
export function slicesText(slices: number, sliceNs: number): string {
  return `${plural(slices, 'slice')} of ${sliceSeconds(sliceNs)}`;
}

/** Where, with which chance and when something was measured. */
interface Measured {
  machine: Machine;
  seed: number;
  startedAt: string;
}

function titleOf(name: string): string {
  return `overhead ${name}`;
}

function measuredText({ machine, seed, startedAt }: Measured, amount: string): string {
  return `Measured on ${machineText(machine)} ${amount}; seed ${seed}; ${startedAt}.`;
}

function sliceSeconds(sliceNs: number): string {
  return `${Number((sliceNs / 1e9).toFixed(3))} s`;
}

const UNFINISHED = {
  interrupted: 'This run was ended before it was complete.',
  running: 'This run was not complete when it was saved.',
};

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** How each cell is measured in a launch; where that differs, under which loads. */
function methodText(plan: Plan): string {
  const byAmount = Map.groupBy(plan.loads, (load) => amountOf(load, plan));
  const isAlike = byAmount.size === 1;
  const parts = [...byAmount].map(([amount, loads]) => {
    return isAlike ? amount : `${amount}, ${list(loads.map(loadWords))}`;
  });
  const order = isAlike ? ', in random order' : '; slices taken in random order';
  const hasSlices = plan.loads.some(({ method }) => method === 'sliced');
  const launches = plural(plan.launches.length, 'launch', 'launches');
  return `${launches} × ${parts.join('; ')}${hasSlices ? order : ''}`;
}

function amountOf(load: Load, { rounds }: Plan): string {
  const { method, sliceNs, everyNthRound } = load;
  const every = load.kind === 'open' ? load.everyNthLaunch : 1;
  const amount =
    method === 'sliced'
      ? slicesText(Math.ceil(rounds / everyNthRound), sliceNs)
      : `${sliceSeconds(sliceNs)} unbroken`;
  return `${amount} for each cell${every === 1 ? '' : ` in one launch of ${every}`}`;
}

/** Which cores servers and generator had, since a server of several threads is slower on one. */
function coresSentence({ plan: { topologies, generatorCores }, machine }: RunRecord): string {
  const byCores = Map.groupBy(topologies, ({ cores }) => coresText(cores));
  const servers = [...byCores].map(([cores, those]) => {
    return byCores.size === 1 ? cores : `${cores} (${list(those.map(topologyName))})`;
  });
  const generator = machine.hostsGenerator ? coresText(generatorCores) : 'another machine';
  return `Servers ran on ${list(servers)}, the generator on ${generator}.`;
}

/** `core 1`, `cores 1 to 3`, or `every core` where nothing is pinned. */
function coresText(cores: readonly number[] | null): string {
  if (cores === null) return 'every core';
  const [first = 0, last = first] = [cores[0], cores.at(-1)];
  if (cores.length === 1) return `core ${first}`;
  const isRow = last - first === cores.length - 1;
  return `cores ${isRow ? `${first} to ${last}` : list(cores.map(String))}`;
}

/** What the servers ran on, where it is not what the harness runs on. */
function runtimeSentence(record: RunRecord): string[] {
  const names = runtimesOf(record).map(runtimeName);
  if (names.length === 0) return [];
  return [
    `The servers ran on ${list(names)}, the harness on Node ${record.machine.versions.node}.`,
  ];
}

/** What the servers had of the CPU, where less than all. */
function limitSentence({ targets }: RunRecord): string[] {
  const cpu = limitsOf(targets).map(coresName);
  const memory = limitsOf(targets, 'memoryLimit').map(memoryName);
  const limits = [
    ...(cpu.length === 0 ? [] : [`a CPU limit of ${either.format(cpu)}`]),
    ...(memory.length === 0 ? [] : [`a memory limit of ${either.format(memory)}`]),
  ];
  return limits.length === 0 ? [] : [`Each server was in a control group with ${list(limits)}.`];
}

/** Where the loads come from, unless they were given. */
function basisSentence(record: RunRecord): string[] {
  const { pilot, loads } = record.plan;
  if (pilot.kind === 'none') return [];
  const who = serverName(record, pilot.server);
  if (pilot.kind === 'learnt') {
    const able = pilot.pipelines ? '' : ', and not all answer several at once on one connection';
    // It was asked before it was put on other runtimes and limited, if it was.
    const asked = record.targets.find((target) => askedName(target) === pilot.server);
    const label = askedLabel(asked ?? targetOf(record, pilot.server));
    return [
      `A request to the slowest, ${label}, took ${time(pilot.serviceNs)} alone, the dearest ` +
        `${time(pilot.cpuNs)} of CPU, and the largest answer has ${count(pilot.bytes)} bytes${able}: the load ` +
        'is made for that.',
    ];
  }
  if (pilot.kind === 'service') {
    return [
      `In a pilot run a request to the slowest, ${who}, took ${time(pilot.serviceNs)} alone: the feasible ` +
        'load is made for that.',
    ];
  }
  if (pilot.kind === 'singleRequest') {
    return [
      `In a pilot run the dearest, ${who}, used ${time(pilot.cpuNs)} of CPU for a request that came alone: the ` +
        `quiet load has the highest rate at which that keeps no server busy for ${percent(LONE_SHARE)} of the time.`,
    ];
  }
  const shares = loads.flatMap((load) => {
    return load.kind === 'open'
      ? [`${perSecond(load.ratePerS)} (${percent(load.ratePerS / pilot.perS)})`]
      : [];
  });
  return [
    `In a pilot run the slowest, ${who}, answered ${number(pilot.perS)} requests/s at its limit. The rates ` +
      `are shares of that: ${shares.join(', ')}.`,
  ];
}

function askedName(target: Target): string {
  return withoutLimit(withoutRuntime(target)).name;
}

function askedLabel(target: Target): string {
  return withoutLimit(withoutRuntime(target)).label;
}

/** A server as the name of a row. */
export function serverName(record: RunRecord, server: string): string {
  const cell = record.plan.cells.find((each) => each.server === server);
  const topology = record.plan.topologies.find(({ id }) => id === cell?.topology);
  if (cell === undefined || topology === undefined) return server;
  return rowName(targetOf(record, cell.target), topology);
}

/** Where pm2's own `max` would start more than this harness does. */
function maxWarning({ plan, machine }: RunRecord): string[] {
  const { pm2Max, parallelism } = machine;
  const asked = plan.topologies.some(({ names }) => names.some((name) => name.endsWith('max')));
  if (!asked || pm2Max <= parallelism) return [];
  return [
    `Here max is ${parallelism}: no more can run at once (affinity, CPU quota). pm2's own max would ` +
      `start ${pm2Max}; give pm2 a number instead.`,
  ];
}
