import { type Load, SINGLE_REQUEST_SHARE } from '../plan/loads.ts';
import { type Plan, topologyOf } from '../plan/plan.ts';
import { type RunRecord, targetOf } from '../record/record.ts';
import { runtimesOf } from '../summary/comparisons.ts';
import {
  coresName,
  limitsOf,
  memoryName,
  withoutLimit,
  withoutRuntime,
} from '../targets/copies.ts';
import { runtimeName } from '../targets/runtime.ts';
import type { Document, Section } from './document.ts';
import { count, list, number, percent, perSecond, plural, sentences, time } from './format.ts';
import { coresText, loadWords, machineText, rowName, topologyName } from './names.ts';

/** The head of a run's report: what was measured, on what, how and when. */
export function runHead(record: RunRecord): Omit<Document, 'sections' | 'foot'> {
  const { plan, suite, state } = record;
  const intro = sentences(
    measuredText({ ...record, seed: plan.seed }, methodText(plan)),
    coresSentence(record),
    runtimeSentence(record),
    limitSentence(record),
    pilotSentence(record),
    UNFINISHED[state],
  );
  return { title: `overhead ${suite}`, intro: [intro], warnings: maxWarnings(record) };
}

/** The report of a study of the harness itself; `amount` is how much was measured. */
export function studyDocument(
  name: string,
  record: Provenance,
  amount: string,
  isComplete: boolean,
  sections: Section[],
): Document {
  const end = !isComplete && 'This run is not complete.';
  const intro = [sentences(measuredText(record, amount), end)];
  return { title: `overhead ${name}`, intro, warnings: [], sections, foot: [] };
}

/** `6 slices of 0.5 s`. */
export function slicesText(slices: number, sliceNs: number): string {
  return `${plural(slices, 'slice')} of ${sliceSeconds(sliceNs)}`;
}

type Provenance = Pick<RunRecord, 'machine' | 'startedAt'> & { seed: number };

function measuredText({ machine, seed, startedAt }: Provenance, amount: string): string {
  return `Measured on ${machineText(machine)}. ${amount}; seed ${seed}; ${startedAt}.`;
}

function sliceSeconds(sliceNs: number): string {
  return `${Number((sliceNs / 1e9).toFixed(3))} s`;
}

const UNFINISHED: Record<RunRecord['state'], string | null> = {
  complete: null,
  interrupted: 'This run was interrupted before it was complete.',
  running: 'This run was saved before it was complete.',
};

/** How each cell is measured in a launch, and under which loads if that differs between loads. */
function methodText(plan: Plan): string {
  const byAmount = [...Map.groupBy(plan.loads, (load) => amountOf(load, plan))];
  const isAlike = byAmount.length === 1;
  const parts = byAmount.map(([amount, loads]) => {
    return isAlike ? amount : `${amount} ${list(loads.map(loadWords))}`;
  });
  if (plan.loads.some(({ method }) => method === 'sliced')) parts.push('slices in random order');
  return `${plural(plan.launches.length, 'launch')} × ${parts.join('; ')}`;
}

function amountOf({ method, sliceNs, everyNthRound }: Load, { rounds }: Plan): string {
  return method === 'sliced'
    ? `${slicesText(Math.ceil(rounds / everyNthRound), sliceNs)} per cell`
    : `${sliceSeconds(sliceNs)} unbroken per cell`;
}

/** Which cores servers and generator had, since a server of several threads is slower on one. */
function coresSentence({ plan: { topologies, generatorCores }, machine }: RunRecord): string {
  const byCores = [...Map.groupBy(topologies, ({ cores }) => coresText(cores))];
  const servers = byCores.map(([cores, those]) => {
    return byCores.length === 1 ? cores : `${cores} (${list(those.map(topologyName))})`;
  });
  const generator = machine.hostsGenerator ? coresText(generatorCores) : 'another machine';
  return `Servers ran on ${list(servers)}, the generator on ${generator}.`;
}

function runtimeSentence(record: RunRecord): string | null {
  const names = runtimesOf(record).map(runtimeName);
  if (names.length === 0) return null;
  return `The servers ran on ${list(names)}, the harness on Node ${record.machine.versions.node}.`;
}

function limitSentence({ targets }: RunRecord): string | null {
  const all = {
    CPU: limitsOf(targets).map(coresName),
    memory: limitsOf(targets, 'memoryLimit').map(memoryName),
  };
  const limits = Object.entries(all).flatMap(([what, own]) => {
    return own.length === 0 ? [] : [`a ${what} limit of ${list(own, 'disjunction')}`];
  });
  return limits.length === 0 ? null : `Each server ran in a control group with ${list(limits)}.`;
}

/** What the loads are derived from, unless they were given. */
function pilotSentence(record: RunRecord): string | null {
  const { pilot, loads } = record.plan;
  switch (pilot.kind) {
    case 'none':
      return null;
    case 'learnt': {
      const slowest = `${probedLabel(record, pilot.server)}, took ${time(pilot.serviceNs)}`;
      const pipelining = pilot.pipelines ? '' : ', and not all servers can pipeline';
      return (
        `The load follows from a probe of each server: a single request to the slowest, ${slowest}, the most expensive ` +
        `${time(pilot.cpuNs)} of CPU, and the largest answer has ${count(pilot.bytes)} bytes${pipelining}.`
      );
    }
    case 'service':
      return (
        `In a pilot run a single request to the slowest server, ${serverName(record, pilot.server)}, took ` +
        `${time(pilot.serviceNs)}; the feasible load follows from that.`
      );
    case 'singleRequest':
      return (
        `In a pilot run a single request to the most expensive server, ${serverName(record, pilot.server)}, used ` +
        `${time(pilot.cpuNs)} of CPU; the quiet load has the highest rate at which no server is busy for ` +
        `${percent(SINGLE_REQUEST_SHARE)} of the time.`
      );
    case 'capacity': {
      const rates = loads.filter((load) => load.kind === 'open').map(({ ratePerS }) => ratePerS);
      const shares = rates.map((rate) => `${perSecond(rate)} (${percent(rate / pilot.perS)})`);
      return (
        `In a pilot run the slowest server, ${serverName(record, pilot.server)}, answered at most ` +
        `${number(pilot.perS)} requests/s. The rates are shares of that: ${shares.join(', ')}.`
      );
    }
  }
}

/** Servers are probed before copies of them are made for runtimes and limits. */
function probedLabel({ targets }: RunRecord, server: string): string {
  const originals = targets.map((target) => withoutLimit(withoutRuntime(target)));
  return originals.find(({ name }) => name === server)?.label ?? server;
}

export function serverName(record: RunRecord, server: string): string {
  const cell = record.plan.cells.find((each) => each.server === server);
  if (cell === undefined) return server;
  return rowName(targetOf(record, cell.target), topologyOf(record.plan, cell.topology));
}

/** Where pm2's own `max` would start more processes than this harness does. */
function maxWarnings({ plan, machine: { pm2Max, parallelism } }: RunRecord): string[] {
  const asked = plan.topologies.some(({ names }) => names.some((name) => name.endsWith('max')));
  if (!asked || pm2Max <= parallelism) return [];
  return [
    `Here max is ${parallelism}: no more processes can run at once (affinity, CPU quota). pm2's own max would ` +
      `start ${pm2Max}; give pm2 a number instead.`,
  ];
}
