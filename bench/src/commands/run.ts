import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { messageOf, UserError } from '../base/errors.ts';
import { ANSWERING_FOLDER, standing } from '../base/places.ts';
import { buildTargets } from '../launch/build.ts';
import { startGuarded } from '../launch/context.ts';
import { type LearntTarget, learnTarget } from '../launch/learn.ts';
import { type Learnt, underWay } from '../plan/pace.ts';
import { answerText } from '../report/sections/learnt.ts';
import type { Variable } from '../request/option-values.ts';
import type { GivenOptions } from '../request/run-options.ts';
import { noTimer, type Subjects } from '../run/subjects.ts';
import { ratesOn } from '../suites/rates.ts';
import { requireServers, runOf } from '../suites/run.ts';
import { type Exchange, payloadOf } from '../targets/exchange.ts';
import { type Named, namedTargets, ofCommand, ofUrl, ofWord } from '../targets/named.ts';
import { requireNeeds } from '../targets/needs.ts';
import { type Chosen, type LocalTarget, UNSAID } from '../targets/targets.ts';
import { startAudience } from './carry-out.ts';
import type { Kind, RunRequest } from './kind.ts';
import { measureCommand } from './measure.ts';

/** Who is measured is known once the servers have been asked. */
const NOBODY_YET: Subjects & Chosen = {
  targets: [],
  leftOut: [],
  probes: [],
  readTimer: noTimer,
};
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
  requireNeeds(named.map(({ target }) => target));
  const learnt = await learnAll(named, given.status ?? null);
  await using folder = await answerFolder();
  const servers = learnt.map(({ target }) => target);
  const floor = given.floor === false ? [] : [await floorOf(learnt, folder.path)];
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
    request: requestOf(given, place),
    env: Object.fromEntries((given.env ?? []).map(variableOf)),
  });
}

/** What all are asked. @throws UserError for a file that can't be read. */
function requestOf(given: GivenOptions, place: string): Exchange['request'] {
  const { path = '/', header = [], body: text, bodyFile } = given;
  const bytes = bodyFile === undefined ? null : contentOf(resolve(place, bodyFile));
  const body = text === undefined ? bytes && payloadOf(bytes) : payloadOf(Buffer.from(text));
  const method = given.method ?? (body === null ? 'GET' : 'POST');
  return { method, path, headers: Object.fromEntries(header), body };
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new UserError(`can't read ${path}: ${messageOf(cause)}`, 'Name another --body-file.', {
      cause,
    });
  }
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
  for (const {
    target: { up },
  } of servers) {
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
  await buildTargets(
    servers.map(({ target }) => target),
    audience.interrupts.soon,
    audience.say,
  );
  await using guarded = startGuarded(now);
  const learnt: LearntTarget[] = [];
  for (const server of servers) {
    const found = await learnTarget(server, status, guarded.launching);
    const how = server.isDeclared ? 'declared' : 'learnt';
    for (const { expect } of found.target.requests) {
      audience.say(`${server.target.label}: ${how}: ${answerText(expect)}`);
    }
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

/** The floor: the first answer of the first server, from bare node:http. */
async function floorOf([first]: readonly LearntTarget[], folder: string): Promise<LocalTarget> {
  const [exchange] = first?.target.requests ?? [];
  if (first === undefined || exchange === undefined) throw new Error('a floor of nothing');
  const ANSWER = join(folder, 'answer.json');
  const { status, headers } = exchange.expect;
  await writeFile(ANSWER, JSON.stringify({ status, headers, body: first.sample }));
  const expect = { status, headers, body: { kind: 'bytes', bytes: first.sample } } as const;
  return {
    ...UNSAID,
    ...{ name: 'floor', label: 'node:http', start: ['node', 'main.js'], env: { ANSWER } },
    ...{ directory: ANSWERING_FOLDER, requests: [{ ...exchange, weight: 1, expect }] },
  };
}

/** A folder for what the floor is to answer; it goes with the run. */
async function answerFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'overhead-answer-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
