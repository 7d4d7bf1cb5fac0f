import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../base/files.ts';
import { ANSWERING_FOLDER } from '../base/places.ts';
import type { ProbeResult } from '../launch/probe.ts';
import { concurrencyFor, type MostUnderWay, type ProbeSummary } from '../plan/named-load.ts';
import { processesFor, withNeighbours } from '../plan/topology.ts';
import { responseText } from '../report/sections/responses.ts';
import { optionsOf } from '../request/options.ts';
import type { RunOptions } from '../request/run-options.ts';
import { ratesOn } from '../suites/rates.ts';
import { NO_SERVERS_YET, runOf } from '../suites/run.ts';
import { built } from '../suites/suite.ts';
import { requireNeeds } from '../targets/needs.ts';
import { type LocalTarget, TARGET_DEFAULTS } from '../targets/targets.ts';
import { type Invocation, type RunCommand, unlessInterrupted } from './command.ts';
import { measureCommand } from './measure.ts';
import { AS_PROBED, namedServers, remoteAmong, SERVERS } from './servers.ts';

export const run: RunCommand = {
  name: 'run',
  description: 'measures servers of yours: commands, folders, or addresses',
  options: optionsOf('run'),
  operands: SERVERS,
  usual: AS_PROBED,
  kindOf: ({ rate }) => ({
    ...(rate ? ratesOn(NO_SERVERS_YET.subjects) : NO_SERVERS_YET),
    refused: ({ path = [] }) => (path.length > 1 ? { path: 'only ab takes several' } : {}),
  }),
  async perform(command) {
    const { given, options } = command;
    const named = namedServers(command);
    requireNeeds(named);
    const probes = await probeAll(named, command);
    await using folder = await temporaryFolder('answer');
    const servers = probes.map(({ target }) => target);
    const floor = given.floor === false ? [] : [await floorOf(probes, folder.path)];
    const over = floor[0]?.name ?? null;
    const targets = [...floor, ...servers.map((target) => ({ ...target, over }))];
    const isExternal = servers.some(({ external }) => external !== null);
    // The harness can't restart a server that somebody else has started.
    const launched = { ...options, launches: isExternal ? 1 : options.launches };
    if (options.rates !== null) {
      const rates = ratesOn(() => built(targets));
      const topologies = given.topology ?? processesNeeded(probes, options) ?? options.topologies;
      return await measureCommand(rates, { ...command, options: { ...launched, topologies } });
    }
    const basis = basisOf(probes, command);
    const loaded = { ...launched, ...loadFor(basis, command) };
    return await measureCommand(runOf(targets, basis), { ...command, options: loaded });
  },
};

/** How many processes rates need under CPU limits, one fewer and one more; null without limits or known rates. */
function processesNeeded(probes: readonly ProbeResult[], { rates, cpuLimits }: RunOptions) {
  const perS = (rates ?? []).flatMap((rate) => (rate.kind === 'per second' ? rate.perS : []));
  if (perS.length === 0 || cpuLimits.length === 0) return null;
  const needed = probes.flatMap(({ cpuNs }) => {
    return cpuLimits.flatMap((limit) => perS.map((each) => processesFor(each, cpuNs, limit)));
  });
  return withNeighbours(needed);
}

/** Builds the servers, and probes each of them alone, one after the other. @throws CommandExit if a signal comes. */
export async function probeAll(targets: readonly LocalTarget[], command: Invocation) {
  const { given, backend, interrupts, say } = command;
  const probes: ProbeResult[] = [];
  await unlessInterrupted(command, async () => {
    await backend.buildTargets(targets, interrupts.soon, say);
    // There is nothing to save yet, so a first Ctrl-C ends it at once.
    await using launches = backend.startLaunches(interrupts.soon);
    for (const { origin, asked } of remoteAmong(targets)) {
      say(`Sending ${asked} to ${origin}, one at a time, to see what it answers.`);
    }
    for (const target of targets) {
      interrupts.soon.throwIfAborted();
      const probe = await launches.probe(target, given.status ?? null);
      const subject = `${target.label} ${target.hidesRequests ? 'answers' : 'declares'}`;
      for (const { expect } of probe.target.requests) say(`${subject}: ${responseText(expect)}`);
      probes.push(probe);
    }
    interrupts.soon.throwIfAborted();
  });
  return probes;
}

/** The connections and pipelining that are given, or else as many as these servers can take. */
export function loadFor(basis: ProbeSummary, { given, options }: Invocation, most?: MostUnderWay) {
  const usual = concurrencyFor(basis, options, most);
  const { connections = usual.connections, pipelining = usual.pipelining } = given;
  return { connections, pipelining };
}

/** What all probes show together: the worst of each, and what all can do. A continued run keeps to what it found. */
export function basisOf(probes: readonly ProbeResult[], { saved }: Invocation): ProbeSummary {
  if (saved?.plan.pilot.kind === 'learnt') return saved.plan.pilot;
  const [slowest] = probes.toSorted((a, b) => b.serviceNs - a.serviceNs);
  if (slowest === undefined) throw new Error('no server was probed');
  return {
    kind: 'learnt',
    server: slowest.target.name,
    serviceNs: slowest.serviceNs,
    cpuNs: Math.max(...probes.map(({ cpuNs }) => cpuNs)),
    bytes: Math.max(...probes.map(({ bytes }) => bytes)),
    pipelines: probes.every(({ pipelines }) => pipelines),
  };
}

/** The floor: a bare node:http server that sends the answers of the first server. */
async function floorOf(probes: readonly ProbeResult[], folder: string): Promise<LocalTarget> {
  const [first] = probes;
  if (first === undefined) throw new Error('no server was probed');
  const isTaken = probes.some(({ target }) => target.label === 'node:http');
  const ANSWERS = join(folder, 'answers.json');
  const requests = first.target.requests.flatMap((exchange, place) => {
    const bytes = first.samples[place];
    if (bytes === undefined) return [];
    const { status, headers } = exchange.expect;
    return [{ ...exchange, expect: { status, headers, body: { kind: 'bytes', bytes } as const } }];
  });
  const answers = requests.map(({ request, expect: { status, headers, body } }) => {
    return { request, status, headers, body: body.bytes };
  });
  await writeFile(ANSWERS, JSON.stringify(answers));
  return {
    ...TARGET_DEFAULTS,
    ...{ name: 'floor', label: isTaken ? 'the floor' : 'node:http' },
    ...{ start: ['node', 'main.js'], passed: { ANSWERS } },
    ...{ directory: ANSWERING_FOLDER, requests, hidesRequests: first.target.hidesRequests },
  };
}
