import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANSWERING_FOLDER } from '../base/places.ts';
import type { ProbeResult } from '../launch/probe.ts';
import { type Learnt, underWay } from '../plan/pace.ts';
import { processesFor, withNeighbours } from '../plan/processes.ts';
import { answerText } from '../report/sections/learnt.ts';
import type { TopologyName } from '../request/option-values.ts';
import type { RunRequest } from '../request/run-command.ts';
import type { RunOptions } from '../request/run-options.ts';
import { built } from '../suites/common.ts';
import { ratesOn } from '../suites/rates.ts';
import { NOBODY_YET, runOf } from '../suites/run.ts';
import type { Named } from '../targets/named.ts';
import { requireNeeds } from '../targets/needs.ts';
import { type LocalTarget, TARGET_DEFAULTS } from '../targets/targets.ts';
import { startConsole } from './carry-out.ts';
import type { Io, Kind } from './command.ts';
import { measureCommand } from './measure.ts';
import { namedServers, remoteAmong } from './named-servers.ts';

/** Servers that the command line names. */
export const run: Kind = {
  ...NOBODY_YET,
  defaults: (given) => (given.rate ? ratesOn(NOBODY_YET.subjects) : NOBODY_YET).defaults(given),
  meaningless: ({ url, path = [] }) => {
    const often = path.length > 1 ? { path: 'more than once here: ab has a row for each' } : {};
    if (url === undefined) return { pid: 'without --url', ...often };
    const why = 'beside --url: only what the harness starts is in a control group of its own';
    return { cpuLimit: why, memoryLimit: why, ...often };
  },
  perform: performRun,
};

async function performRun(request: RunRequest, io: Io): Promise<number> {
  const { given, options } = request;
  io.backend.requireLimits(options);
  const named = namedServers(request);
  requireNeeds(named.map(({ target }) => target));
  const told = await learnAll(named, given.status ?? null, io);
  if (told.state === 'ended') return told.exitCode;
  const { learnt } = told;
  await using folder = await answerFolder();
  const servers = learnt.map(({ target }) => target);
  const floor = given.floor === false ? [] : [await floorOf(learnt, folder.path)];
  const over = floor[0]?.name ?? null;
  const targets = [...floor, ...servers.map((target) => ({ ...target, over }))];
  const isExternal = servers.some(({ external }) => external !== null);
  // Who has not started a server can't start it anew.
  const launched = { ...options, launches: isExternal ? 1 : options.launches };
  if (options.rates !== null) {
    const rates = ratesOn(() => built(targets));
    const topologies = given.topology ?? howMany(learnt, options) ?? options.topologies;
    return await measureCommand(rates, { ...request, options: { ...launched, topologies } }, io);
  }
  const basis = basisOf(learnt);
  const able = { ...launched, ...loadFor(basis, request) };
  return await measureCommand(runOf(targets, basis), { ...request, options: able }, io);
}

/**
 * The numbers of processes that these servers want under CPU limits at these rates, by what a request takes, and their
 * neighbours; null where nothing limits them, or where it is not known yet how many requests/s come.
 */
function howMany(
  learnt: readonly ProbeResult[],
  { rates, cpuLimits }: Pick<RunOptions, 'rates' | 'cpuLimits'>,
): TopologyName[] | null {
  const perS = (rates ?? []).flatMap((rate) => (rate.kind === 'per second' ? rate.perS : []));
  if (perS.length === 0 || cpuLimits.length === 0) return null;
  const wanted = learnt.flatMap(({ cpuNs }) => {
    return cpuLimits.flatMap((limit) => perS.map((each) => processesFor(each, cpuNs, limit)));
  });
  return withNeighbours(wanted);
}

/** What all servers told, or that somebody ended it before. */
export type ProbeOutcome =
  | { state: 'told'; learnt: ProbeResult[] }
  | { state: 'ended'; exitCode: number };

/** Builds what has to be, and asks each server alone, one after the other. */
export async function learnAll(
  servers: readonly Named[],
  status: number | null,
  io: Io,
): Promise<ProbeOutcome> {
  using runConsole = startConsole(io);
  const { interrupts, say } = runConsole;
  const learnt: ProbeResult[] = [];
  try {
    const targets = servers.map(({ target }) => target);
    await io.backend.buildTargets(targets, interrupts.soon, say);
    // There is nothing yet that a first Ctrl-C could save.
    await using launches = io.backend.startLaunches(interrupts.soon);
    for (const { origin, asked } of remoteAmong(targets)) {
      say(`Sending ${asked} to ${origin}, one at a time, to see what it answers.`);
    }
    for (const server of servers) {
      if (interrupts.soon.aborted) break;
      const found = await launches.probe(server, status);
      const how = server.isDeclared ? 'declared' : 'learnt';
      for (const { expect } of found.target.requests) {
        say(`${server.target.label}: ${how}: ${answerText(expect)}`);
      }
      learnt.push(found);
    }
  } catch (error) {
    if (!interrupts.soon.aborted) throw error;
  }
  const exitCode = interrupts.exitCode();
  return exitCode === null ? { state: 'told', learnt } : { state: 'ended', exitCode };
}

/** The connections and the pipelining that are asked for, or else what these servers can take. */
export function loadFor(
  basis: Learnt,
  { given, options }: Pick<RunRequest, 'given' | 'options'>,
  waitingNs?: number,
): Pick<RunOptions, 'connections' | 'pipelining'> {
  const able = underWay(basis, options, waitingNs);
  const { connections = able.connections, pipelining = able.pipelining } = given;
  return { connections, pipelining };
}

/** Of all servers together: the slowest, the largest answer, what all can do. */
export function basisOf(learnt: readonly ProbeResult[]): Learnt {
  const [slowest] = learnt.toSorted((a, b) => b.serviceNs - a.serviceNs);
  if (slowest === undefined) throw new Error('nothing was learnt');
  return {
    kind: 'learnt',
    server: slowest.target.name,
    serviceNs: slowest.serviceNs,
    cpuNs: Math.max(...learnt.map(({ cpuNs }) => cpuNs)),
    bytes: Math.max(...learnt.map(({ bytes }) => bytes)),
    pipelines: learnt.every(({ pipelines }) => pipelines),
  };
}

/** The floor: the answers of the first server, from bare node:http. */
async function floorOf(learnt: readonly ProbeResult[], folder: string): Promise<LocalTarget> {
  const [first] = learnt;
  if (first === undefined) throw new Error('a floor of nothing');
  const isTaken = learnt.some(({ target }) => target.label === 'node:http');
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

/** A folder for what the floor is to answer; it goes with the run. */
async function answerFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'overhead-answer-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
