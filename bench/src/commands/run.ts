import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { UserError } from '../base/errors.ts';
import { ANSWERING_FOLDER, standing } from '../base/places.ts';
import { startGuarded } from '../launch/context.ts';
import { type LearntTarget, learnTarget } from '../launch/learn.ts';
import { HOST } from '../launch/server.ts';
import { type Learnt, underWay } from '../plan/pace.ts';
import { learntText } from '../report/sections/learnt.ts';
import type { Variable } from '../request/option-values.ts';
import { noTimer, type Subjects } from '../run/subjects.ts';
import { ratesOn } from '../suites/rates.ts';
import { requireServers, runOf } from '../suites/run.ts';
import { type Named, namedTargets, ofCommand, ofUrl, ofWord } from '../targets/named.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { startAudience } from './carry-out.ts';
import type { Kind, RunRequest } from './kind.ts';
import { measureCommand } from './measure.ts';

/** Who is measured is known once the servers have been asked. */
const NOBODY_YET: Subjects = { targets: [], probes: [], readTimer: noTimer };
const NOBODY = runOf(NOBODY_YET);

/** Servers that the command line names. */
export const run: Kind = {
  ...NOBODY,
  defaults: (given) => (given.rate ? ratesOn(() => NOBODY_YET) : NOBODY).defaults(given),
  meaningless: function* ({ targets, packages, url, pid }) {
    if (targets) yield ['--targets', 'here: name the servers themselves'];
    if (packages !== undefined) yield ['--packages', 'here: name the servers themselves'];
    if (pid !== undefined && url === undefined) yield ['--pid', 'without --url'];
  },
  perform: performRun,
};

async function performRun(request: RunRequest): Promise<number> {
  const { given, options } = request;
  const named = namedServers(request);
  requireServers(named.length);
  requireLocal(named, given.allowRemote === true);
  const learnt = await learnAll(named, given.status ?? null);
  await using folder = await answerFolder();
  const servers = learnt.map(({ target }) => target);
  const floor = given.floor === false ? [] : [await floorOf(servers, folder.path)];
  const over = floor[0]?.name ?? null;
  const targets = [...floor, ...servers.map((target) => ({ ...target, over }))];
  const basis = basisOf(learnt);
  const able = underWay(basis);
  const isUp = servers.some(({ up }) => up !== null);
  // Who has not started a server can't start it anew.
  const launched = { ...options, launches: isUp ? 1 : options.launches };
  const subjects = { ...NOBODY_YET, targets };
  if (options.rates !== null) {
    return await measureCommand(
      ratesOn(() => subjects),
      { ...request, options: launched },
    );
  }
  const asked = {
    ...launched,
    connections: given.connections ?? able.connections,
    pipelining: given.pipelining ?? able.pipelining,
  };
  return await measureCommand(runOf(subjects), { ...request, options: asked }, basis);
}

function namedServers({ given, servers }: RunRequest): Named[] {
  const place = standing();
  const { url = [], pid = [] } = given;
  const places = [
    ...servers.words.map((word) => ofWord(word, place)),
    ...(servers.command === null ? [] : [ofCommand(servers.command, place)]),
    ...url.map((origin, index) => ofUrl(origin, pid.slice(index, index + 1), place)),
  ];
  return namedTargets(places, {
    names: given.name ?? [],
    request: { method: given.method ?? 'GET', path: given.path ?? '/' },
    env: Object.fromEntries((given.env ?? []).map(variableOf)),
  });
}

/** @throws UserError for a variable that is to be let through and is not there. */
function variableOf({ name, value }: Variable): [string, string] {
  const found = value ?? process.env[name];
  if (found !== undefined) return [name, found];
  throw new UserError(`${name} is not set here`, `Set it, or give its value: --env ${name}=VALUE.`);
}

const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** @throws UserError for an address that is not this machine's, unless that is allowed. */
function requireLocal(servers: readonly Named[], isAllowed: boolean): void {
  for (const { up } of servers) {
    if (up === null || isAllowed || LOCAL.test(new URL(up.origin).hostname)) continue;
    throw new UserError(
      `${up.origin} is not on this machine`,
      'Load harms a server that is not yours. If it is, and you want as many requests as it can answer ' +
        'sent there, add --allow-remote.',
    );
  }
}

/** Asks each server alone, one after the other. */
async function learnAll(servers: readonly Named[], status: number | null): Promise<LearntTarget[]> {
  using audience = startAudience();
  const { now } = audience.interrupts;
  await using guarded = startGuarded(now);
  const learnt: LearntTarget[] = [];
  for (const server of servers) {
    const port = await getPort({ host: HOST });
    const found = await learnTarget(server, port, status, guarded.launching);
    audience.say(`${server.label}: learnt: ${learntText(found.target.expect)}`);
    learnt.push(found);
  }
  return learnt;
}

/** Of all servers together: the slowest, the largest answer, what all can do. */
function basisOf(learnt: readonly LearntTarget[]): Learnt {
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

/** The floor: the answer of the first server, from bare node:http. */
async function floorOf([first]: readonly LocalTarget[], folder: string): Promise<LocalTarget> {
  if (first === undefined) throw new Error('a floor of nothing');
  const ANSWER = join(folder, 'answer.json');
  await writeFile(ANSWER, JSON.stringify(first.expect));
  return {
    ...{ name: 'floor', label: 'node:http', suite: null, over: null },
    ...{ start: ['node', 'main.js'], directory: ANSWERING_FOLDER, up: null, env: { ANSWER } },
    ...{ port: null, insists: null, request: first.request },
    expect: { ...first.expect, compare: 'body' },
  };
}

/** A folder for what the floor is to answer; it goes with the run. */
async function answerFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'overhead-answer-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
