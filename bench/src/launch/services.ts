/** Services, each with its data: made anew, or a copy of what an earlier launch has made and filled. */
import { constants, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { connect, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { UserError } from '../base/errors.ts';
import { cacheFolder } from '../base/places.ts';
import type { PlannedService } from '../plan/services.ts';
import { SERVICES, type ServiceName } from '../services/index.ts';
import { programsOf } from '../services/programs.ts';
import type { RunningService } from '../services/running.ts';
import { LOOPBACK, type Place, type Service } from '../services/service.ts';
import { freePort } from '../system/free-port.ts';
import { isAlive, isStopped, signal } from '../system/processes.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import { cached } from './cache.ts';
import { Endings, settled } from './endings.ts';
import { endGroup, lastLines, runLogged, startLogged } from './process-group.ts';
import { contentOf, runSeeds, type Seed, type SeedFailure, seedsOf } from './seeds.ts';
import { closedEnvironment, type LaunchContext } from './server.ts';
import { tells } from './sockets.ts';
import { duringStart, NotUp, reasonOf } from './start.ts';

/** Why a service can't be used. */
export interface ServiceTrouble {
  name: ServiceName;
  message: string;
  logTail: string[];
}

/** What has become of the services of these targets, and of their seeds. */
export interface Served {
  running: RunningService[];
  troubles: ServiceTrouble[];
  /** The targets whose services all run. */
  targets: LocalTarget[];
  unseeded: SeedFailure[];
}

/**
 * Starts these services together, each in a folder of its own within the run's, and fills them as these targets
 * declare.
 * @throws when the launch is aborted.
 */
export async function startServices(
  planned: readonly PlannedService[],
  targets: readonly LocalTarget[],
  context: LaunchContext,
  endings: Endings,
): Promise<Served> {
  const kept = await keptData(planned, targets, context);
  const started = await settled(
    planned.map((each) => startService(each, kept.get(each.name) ?? null, context, endings)),
  );
  const running = started.flatMap((each) => (each.state === 'running' ? [each.service] : []));
  const troubles = started.flatMap((each) => (each.state === 'failed' ? [each.trouble] : []));
  const served = targets.filter((target) => {
    return troubles.every(({ name }) => !servicesOf(target).includes(name));
  });
  const empty = running.map(({ name }) => name).filter((name) => !kept.has(name));
  const unseeded = await runSeeds(seedsOf(served, empty), running, context);
  return { running, troubles, targets: served, unseeded };
}

/** What made the data ends with advice, in more lines than are shown otherwise. */
const FRESH_LINES = 40;
/** Making the folder of its data takes seconds, on a slow disk many. */
const MAKE_MS = 120_000;

type Started =
  | { state: 'running'; service: RunningService; data: string; endedWell: Promise<boolean> }
  | { state: 'failed'; trouble: ServiceTrouble };

/**
 * Starts an instance of a service, with a copy of these data or, for null, with fresh ones, and waits until it
 * serves.
 * @throws when the launch is aborted.
 */
async function startService(
  { name, cores }: Pick<PlannedService, 'name' | 'cores'>,
  filled: string | null,
  context: LaunchContext,
  endings: Endings,
): Promise<Started> {
  const service = SERVICES[name];
  const place = await makePlace(name, service, context.folder);
  const log = join(place.folder, 'log');
  const failed = (message: string, lines?: number): Started => {
    return { state: 'failed', trouble: { name, message, logTail: lastLines(log, lines) } };
  };
  const programs = programsOf(service);
  if (programs.state === 'missing') return failed(`${programs.program} is not here`);
  // MariaDB clears its temporary folder at its start, of another one's tables too where they share it.
  const environment = { ...closedEnvironment(place.folder), TMPDIR: place.folder };
  const shared = { log, directory: place.folder, environment };
  const version = await versionOf(programs.server, service);
  if (filled !== null) await copyData(filled, place.data);
  else if (service.fresh !== null && programs.fresh !== null) {
    const template = join(cacheFolder(), templateName(name, version));
    const command = [programs.fresh, ...service.fresh.args(place.data)] as const;
    const making = { command: [...command] satisfies [string, ...string[]], ...shared };
    const problem = await fillFresh(place.data, template, () => {
      return runLogged(making, MAKE_MS, context);
    });
    if (problem !== null) {
      return failed(`its data could not be made: ${problem}`, FRESH_LINES);
    }
  }
  context.signal.throwIfAborted();
  const command: [string, ...string[]] = [programs.server, ...service.args(place)];
  const child = startLogged({ command, ...shared }, { cores });
  const { pid } = child;
  if (pid === undefined) return failed('it did not start');
  endings.add(async () => {
    await endGroup(pid, context);
    // A run has many launches, and a database its 100 MB in each.
    await rm(place.data, { recursive: true, force: true });
  });
  context.guard(pid);
  try {
    await duringStart(
      context,
      () => 'it did not serve',
      async () => {
        if (!isAlive(pid)) throw new NotUp('it ended while starting', true);
        return (await serves(place, service)) || null;
      },
    );
  } catch (error) {
    const reason = await reasonOf(error, child);
    if (reason instanceof NotUp) return failed(reason.message);
    throw reason;
  }
  const running = {
    ...{ name, version, pids: [pid], environment: service.environment(place) },
    trouble: () => troubleOf(pid),
    logTail: () => lastLines(log),
  };
  const endedWell = child.then(({ exitCode }) => exitCode === 0);
  return { state: 'running', service: running, data: place.data, endedWell };
}

function troubleOf(pid: number): string | null {
  if (!isAlive(pid)) return 'its process died';
  return isStopped(pid) ? 'its process was stopped' : null;
}

async function makePlace(name: string, { files }: Service, folder: string): Promise<Place> {
  const own = mkdtempSync(join(folder, `${name}-`));
  const data = join(own, 'data');
  mkdirSync(data);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(own, file), text);
  const port = await freePort(LOOPBACK);
  return { folder: own, data, socket: join(own, 'socket'), port };
}

const ANSWER_MS = 1000;

/** Whether it answers on its socket and on its port. */
async function serves({ socket, port }: Place, { greeting }: Service): Promise<boolean> {
  for (const address of [{ path: socket }, { host: LOOPBACK, port }]) {
    if (!(await greets(address, greeting))) return false;
  }
  return true;
}

function greets(address: NetConnectOpts, { say, isAnswer }: Service['greeting']): Promise<boolean> {
  const connection = connect(address);
  connection.once('connect', () => connection.write(say));
  return tells(connection, AbortSignal.timeout(ANSWER_MS), (end) => {
    connection.once('data', (bytes) => end(isAnswer(bytes)));
  });
}

/** The version that the program of a service says it is of. */
async function versionOf(program: string, { version }: Service): Promise<string> {
  const { stdout } = await execa(program, [...version.args], { reject: false, stdin: 'ignore' });
  return versionIn(stdout ?? '', version);
}

/** The version in what the program of a service says. */
export function versionIn(said: string, { pattern }: Service['version']): string {
  return pattern.exec(said)?.[1] ?? 'unknown';
}

/** What the data of this version of a service are called in the cache. */
function templateName(name: ServiceName, version: string): string {
  return `${name}-${version.replaceAll(/[^\w.+-]/g, '_')}`;
}

/**
 * Fills a folder with fresh data: a copy of the template in the cache, which is made when it is not there yet.
 * Returns why not, or null.
 */
async function fillFresh(
  data: string,
  template: string,
  make: () => Promise<string | null>,
): Promise<string | null> {
  if (existsSync(template)) {
    await copyData(template, data);
    return null;
  }
  const problem = await make();
  // A cache that can't be written costs seconds, and no run.
  if (problem === null) await cached(template, (part) => copyData(data, part)).catch(() => {});
  return problem;
}

/** Copies the data of a service that does not run. */
async function copyData(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

/** Why filled data are not kept. */
class NotCacheable extends Error {}

/** A service that has much to write takes its time to end. */
const END_MS = 60_000;

/**
 * The folders of filled data of those of these services whose seeds tell all that decides what they fill in,
 * for these targets. One that is not in the cache yet is made: an instance of its own is filled, ends, and
 * leaves its data there. A service whose data can't be kept is not among them, and is filled as others are.
 * @throws when the launch is aborted.
 */
async function keptData(
  planned: readonly PlannedService[],
  targets: readonly LocalTarget[],
  context: LaunchContext,
): Promise<Map<ServiceName, string>> {
  const kept = new Map<ServiceName, string>();
  for (const service of planned) {
    const { name } = service;
    const seeds = seedsOf(targets, [name]);
    const programs = programsOf(SERVICES[name]);
    const content = contentOf(seeds);
    if (!SERVICES[name].persists || seeds.length === 0 || content === null) continue;
    if (programs.state === 'missing') continue;
    const version = await versionOf(programs.server, SERVICES[name]);
    const template = join(cacheFolder(), 'filled', `${templateName(name, version)}-${content}`);
    try {
      await cached(template, (part) => fill(part, service, seeds, context));
      kept.set(name, template);
    } catch (error) {
      // A service or a seed that fails does so again in the launch, and is told of there; a cache that can't
      // be written costs seconds, and no run.
      if (!(error instanceof NotCacheable || error instanceof UserError)) throw error;
    }
  }
  return kept;
}

/** @throws NotCacheable where a seed fails, or the service does not end by itself: such data are not to be kept. */
async function fill(
  folder: string,
  service: PlannedService,
  seeds: readonly Seed[],
  context: LaunchContext,
): Promise<void> {
  await using endings = new Endings();
  const started = await startService(service, null, context, endings);
  if (started.state === 'failed') throw new NotCacheable(started.trouble.message);
  const [unseeded] = await runSeeds(seeds, [started.service], context);
  if (unseeded !== undefined) throw new NotCacheable(unseeded.message);
  for (const pid of started.service.pids) signal(pid, 'SIGTERM');
  const isWhole = await Promise.race([started.endedWell, sleep(END_MS, false, { ref: false })]);
  if (!isWhole) throw new NotCacheable(`${service.name} did not end by itself`);
  await copyData(started.data, folder);
}
