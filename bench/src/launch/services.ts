/** Services, each with its data: new, or a copy of what an earlier launch has initialized and seeded. */
import { constants, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { UserError } from '../base/errors.ts';
import { cacheFolder } from '../base/places.ts';
import type { PlannedService } from '../plan/services.ts';
import { type RunningService, SERVICES, type ServiceName } from '../services/index.ts';
import { programsOf } from '../services/programs.ts';
import { LOOPBACK, type Place, type Service } from '../services/service.ts';
import { freePort } from '../system/free-port.ts';
import type { Command } from '../system/pin.ts';
import { isAlive, isStopped, signal } from '../system/processes.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import { cached } from './cache.ts';
import { lastLines, runLogged, startLogged } from './process-group.ts';
import { runSeeds, type Seed, seedHash, seedsOf } from './seeds.ts';
import { closedEnvironment, type LaunchContext, type StartContext } from './server.ts';
import { isAnswered } from './sockets.ts';
import { duringStart, NotUp, requireAlive, whileItRuns } from './start.ts';
import { settled, Teardown } from './teardown.ts';

/** Why a service can't be used. */
export interface ServiceTrouble {
  name: ServiceName;
  message: string;
  logTail: string[];
}

/**
 * Starts these services together, each in a folder of its own inside the run's, and seeds them as these targets
 * declare. Returns which run and which do not, the targets whose services all run, and the seeds that failed.
 * @throws when the launch is aborted.
 */
export async function startServices(
  planned: readonly PlannedService[],
  targets: readonly LocalTarget[],
  context: StartContext,
) {
  const seeded = await seededData(planned, targets, context);
  const started = await settled(
    planned.map((each) => startService(each, seeded.get(each.name) ?? null, context)),
  );
  const running = started.flatMap((each) => (each.state === 'running' ? [each.service] : []));
  const troubles = started.flatMap((each) => (each.state === 'failed' ? [each.trouble] : []));
  const served = targets.filter((target) => {
    return troubles.every(({ name }) => !servicesOf(target).includes(name));
  });
  const empty = running.map(({ name }) => name).filter((name) => !seeded.has(name));
  const unseeded = await runSeeds(seedsOf(served, empty), running, context);
  return { running, troubles, targets: served, unseeded };
}

/** A program that fails to initialize data ends with advice, in more lines than are shown otherwise. */
const INITIALIZING_LINES = 40;
/** It takes seconds, on a slow disk many. */
const INITIALIZING_MS = 120_000;

type StartedService =
  | { state: 'running'; service: RunningService; data: string; endedWell: Promise<boolean> }
  | { state: 'failed'; trouble: ServiceTrouble };

/**
 * Starts an instance of a service, with a copy of these data or, for null, with fresh ones, and waits until it
 * serves.
 * @throws when the launch is aborted.
 */
async function startService(
  { name, cores }: Pick<PlannedService, 'name' | 'cores'>,
  seeded: string | null,
  context: StartContext,
): Promise<StartedService> {
  const service = SERVICES[name];
  const place = await makePlace(name, service, context.folder);
  const log = join(place.folder, 'log');
  const failed = (message: string, lines?: number): StartedService => {
    return { state: 'failed', trouble: { name, message, logTail: lastLines(log, lines) } };
  };
  const programs = await findPrograms(name);
  if (programs.state === 'missing') return failed(`${programs.program} is not here`);
  // MariaDB clears its temporary folder when it starts, even of another instance's tables where they share it.
  const environment = { ...closedEnvironment(place.folder), TMPDIR: place.folder };
  const shared = { log, directory: place.folder, environment };
  const fresh = join(cacheFolder(), programs.dataName);
  const template = seeded ?? (existsSync(fresh) ? fresh : null);
  if (template !== null) await copyData(template, place.data);
  else if (service.fresh !== null && programs.fresh !== null) {
    const command: Command = [programs.fresh, ...service.fresh.args(place.data)];
    const problem = await runLogged({ command, ...shared }, context, INITIALIZING_MS);
    if (problem !== null) {
      return failed(`its data could not be made: ${problem}`, INITIALIZING_LINES);
    }
    // A cache that can't be written costs seconds, and no run.
    await cached(fresh, (part) => copyData(place.data, part)).catch(() => {});
  }
  context.signal.throwIfAborted();
  const command: Command = [programs.server, ...service.args(place)];
  // A run has many launches, and a database its 100 MB in each.
  const teardown = context.teardown.part(() => rm(place.data, { recursive: true, force: true }));
  const child = startLogged({ command, ...shared, cores }, { ...context, teardown });
  let pid: number;
  try {
    pid = await whileItRuns(child, (own) => {
      return duringStart(context, 'it did not serve', async () => {
        requireAlive([own]);
        return (await serves(place, service)) ? own : null;
      });
    });
  } catch (error) {
    if (error instanceof NotUp) return failed(error.message);
    throw error;
  }
  return {
    state: 'running',
    service: {
      name,
      version: programs.version,
      pids: [pid],
      environment: service.environment(place),
      trouble: () => {
        if (!isAlive(pid)) return 'its process died';
        return isStopped(pid) ? 'its process was stopped' : null;
      },
      logTail: () => lastLines(log),
    },
    data: place.data,
    endedWell: child.then(({ exitCode }) => exitCode === 0),
  };
}

async function makePlace(name: string, { files }: Service, folder: string): Promise<Place> {
  const own = mkdtempSync(join(folder, `${name}-`));
  const data = join(own, 'data');
  mkdirSync(data);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(own, file), text);
  const port = await freePort(LOOPBACK);
  return { folder: own, data, socket: join(own, 'socket'), port };
}

const GREETING_MS = 1000;

/** Whether it answers on its socket and on its port. */
async function serves({ socket, port }: Place, { greeting }: Service): Promise<boolean> {
  const { say, isAnswer } = greeting;
  for (const address of [{ path: socket }, { host: LOOPBACK, port }]) {
    const over = AbortSignal.timeout(GREETING_MS);
    if (!(await isAnswered(address, say, isAnswer, over))) return false;
  }
  return true;
}

/** The programs of a service, with their version and what its data of that version are called in the cache. */
async function findPrograms(name: ServiceName) {
  const service = SERVICES[name];
  const programs = programsOf(service);
  if (programs.state === 'missing') return programs;
  const how = { reject: false, stdin: 'ignore' } as const;
  const { stdout } = await execa(programs.server, [...service.version.args], how);
  const version = parseVersion(stdout ?? '', service.version);
  return { ...programs, version, dataName: `${name}-${version.replaceAll(/[^\w.+-]/g, '_')}` };
}

/** The version in what the program of a service prints. */
export function parseVersion(printed: string, { pattern }: Service['version']): string {
  return pattern.exec(printed)?.[1] ?? 'unknown';
}

/** Copies the data of a service that does not run. */
async function copyData(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

/** Why seeded data are not cached. */
class NotCacheable extends Error {}

/** A service that has much to write takes its time to end. */
const END_MS = 60_000;

/**
 * The cached folders of seeded data, of those of these services whose seeds declare everything that decides what they
 * store, for these targets. Data that are not in the cache yet are made: an instance is seeded, ends, and
 * leaves its data there. A service whose data can't be cached is not among them, and is seeded as others are.
 * @throws when the launch is aborted.
 */
async function seededData(
  planned: readonly PlannedService[],
  targets: readonly LocalTarget[],
  context: LaunchContext,
): Promise<Map<ServiceName, string>> {
  const folders = new Map<ServiceName, string>();
  for (const service of planned) {
    const { name } = service;
    const seeds = seedsOf(targets, [name]);
    const hash = seedHash(seeds);
    if (!SERVICES[name].persists || seeds.length === 0 || hash === null) continue;
    const programs = await findPrograms(name);
    if (programs.state === 'missing') continue;
    const folder = join(cacheFolder(), 'filled', `${programs.dataName}-${hash}`);
    try {
      await cached(folder, (part) => makeSeeded(part, service, seeds, context));
      folders.set(name, folder);
    } catch (error) {
      // A service or a seed that fails does so again in the launch, which reports it; a cache that can't
      // be written costs seconds, and no run.
      if (!(error instanceof NotCacheable || error instanceof UserError)) throw error;
    }
  }
  return folders;
}

/** @throws NotCacheable where a seed fails, or the service does not end by itself: such data are not to be used. */
async function makeSeeded(
  folder: string,
  service: PlannedService,
  seeds: readonly Seed[],
  context: LaunchContext,
): Promise<void> {
  await using teardown = new Teardown();
  const started = await startService(service, null, { ...context, teardown });
  if (started.state === 'failed') throw new NotCacheable(started.trouble.message);
  const [unseeded] = await runSeeds(seeds, [started.service], context);
  if (unseeded !== undefined) throw new NotCacheable(unseeded.message);
  for (const pid of started.service.pids) signal(pid, 'SIGTERM');
  const hasEnded = await Promise.race([started.endedWell, sleep(END_MS, false, { ref: false })]);
  if (!hasEnded) throw new NotCacheable(`${service.name} did not end by itself`);
  await copyData(started.data, folder);
}
