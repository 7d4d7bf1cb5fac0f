/** Starts services with fresh data, or with a copy of data that an earlier launch has initialized or seeded. */
import { constants, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { UserError } from '../base/errors.ts';
import { cacheFolder } from '../base/places.ts';
import type { PlannedService } from '../plan/plan.ts';
import { type RunningService, SERVICES, type ServiceName } from '../services/index.ts';
import { LOOPBACK, type Place, programNamed, type Service } from '../services/service.ts';
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

export interface FailedService {
  name: ServiceName;
  message: string;
  logTail: string[];
}

/** Starts and seeds these services. A target is `served` if all that it needs run. @throws when aborted. */
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
  const failedServices = started.flatMap((each) => (each.state === 'failed' ? [each.failure] : []));
  const served = targets.filter((target) => {
    return failedServices.every(({ name }) => !servicesOf(target).includes(name));
  });
  const empty = running.map(({ name }) => name).filter((name) => !seeded.has(name));
  const unseeded = await runSeeds(seedsOf(served, empty), running, context);
  return { running, failedServices, served, unseeded };
}

/** A program that fails to initialize data prints long advice. */
const INITIALIZING_LINES = 40;
const INITIALIZING_MS = 120_000;

type StartedService =
  | { state: 'running'; service: RunningService; data: string; endedWell: Promise<boolean> }
  | { state: 'failed'; failure: FailedService };

/** Starts a service with a copy of these data, or fresh ones, and waits until it serves. @throws when aborted. */
async function startService(
  { name, cores }: Pick<PlannedService, 'name' | 'cores'>,
  seeded: string | null,
  context: StartContext,
): Promise<StartedService> {
  const service = SERVICES[name];
  const folder = mkdtempSync(join(context.folder, `${name}-`));
  const [data, socket, log] = [join(folder, 'data'), join(folder, 'socket'), join(folder, 'log')];
  const place = { folder, data, socket, port: await freePort(LOOPBACK) };
  mkdirSync(data);
  for (const [file, text] of Object.entries(service.files)) writeFileSync(join(folder, file), text);
  const failed = (message: string, lines?: number): StartedService => {
    return { state: 'failed', failure: { name, message, logTail: lastLines(log, lines) } };
  };
  const { server, version, dataName } = await findServer(name);
  // Not shared: MariaDB clears its temporary folder when it starts.
  const environment = { ...closedEnvironment(folder), TMPDIR: folder };
  const shared = { log, directory: folder, environment };
  const fresh = join(cacheFolder(), dataName);
  const template = seeded ?? (existsSync(fresh) ? fresh : null);
  if (template !== null) await copyData(template, data);
  else if (service.fresh !== null) {
    const command: Command = [programNamed(service.fresh.program), ...service.fresh.args(data)];
    const problem = await runLogged({ command, ...shared }, context, INITIALIZING_MS);
    if (problem !== null) {
      return failed(`its data could not be initialized: ${problem}`, INITIALIZING_LINES);
    }
    // Without a cache each run takes some seconds longer.
    await cached(fresh, (part) => copyData(data, part)).catch(() => {});
  }
  context.signal.throwIfAborted();
  const command: Command = [server, ...service.args(place)];
  // Removed after each launch: a database takes 100 MB.
  const teardown = context.teardown.part(() => rm(data, { recursive: true, force: true }));
  const child = startLogged({ command, ...shared, cores }, { ...context, teardown });
  try {
    const pid = await whileItRuns(child, (own) => {
      return duringStart(context, 'it did not serve', async () => {
        requireAlive([own]);
        return (await serves(place, service)) ? own : null;
      });
    });
    const running: RunningService = {
      name,
      version,
      pids: [pid],
      environment: service.environment(place),
      failure: () => {
        if (!isAlive(pid)) return 'its process died';
        return isStopped(pid) ? 'its process was stopped' : null;
      },
      logTail: () => lastLines(log),
    };
    const endedWell = child.then(({ exitCode }) => exitCode === 0);
    return { state: 'running', service: running, data, endedWell };
  } catch (error) {
    if (error instanceof NotUp) return failed(error.message);
    throw error;
  }
}

const GREETING_MS = 1000;

/** Whether a service answers on its socket and on its port. */
async function serves({ socket, port }: Place, { greeting }: Service): Promise<boolean> {
  for (const address of [{ path: socket }, { host: LOOPBACK, port }]) {
    const over = AbortSignal.timeout(GREETING_MS);
    if (!(await isAnswered(address, greeting.say, greeting.isAnswer, over))) return false;
  }
  return true;
}

/** The program of a service, with its version and the name of its data in the cache. */
async function findServer(name: ServiceName) {
  const service = SERVICES[name];
  const server = programNamed(service.program);
  const { stdout } = await execa(server, service.version.args, { reject: false, stdin: 'ignore' });
  const version = parseVersion(stdout ?? '', service.version);
  return { server, version, dataName: `${name}-${version.replaceAll(/[^\w.+-]/g, '_')}` };
}

export function parseVersion(printed: string, { pattern }: Service['version']): string {
  return pattern.exec(printed)?.[1] ?? 'unknown';
}

async function copyData(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

/** Seeded data can't be cached. */
class NotCacheable extends Error {}

/** A service may have much to write when it ends. */
const END_MS = 60_000;

/** The cached folders of seeded data for these targets, by service. @throws when the launch is aborted. */
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
    // Nothing to cache: no data on disk, no seeds, or seeds that do not declare their files.
    if (SERVICES[name].fresh === null || seeds.length === 0 || hash === null) continue;
    const { dataName } = await findServer(name);
    const folder = join(cacheFolder(), 'filled', `${dataName}-${hash}`);
    try {
      await cached(folder, (part) => makeSeeded(part, service, seeds, context));
      folders.set(name, folder);
    } catch (error) {
      // The launch reports a service or seed that fails again. Without a cache each run takes some seconds longer.
      if (!(error instanceof NotCacheable || error instanceof UserError)) throw error;
    }
  }
  return folders;
}

/** @throws NotCacheable if a seed fails or the service does not stop: such data may be incomplete. */
async function makeSeeded(
  folder: string,
  service: PlannedService,
  seeds: readonly Seed[],
  context: LaunchContext,
): Promise<void> {
  await using teardown = new Teardown();
  const started = await startService(service, null, { ...context, teardown });
  if (started.state === 'failed') throw new NotCacheable(started.failure.message);
  const [unseeded] = await runSeeds(seeds, [started.service], context);
  if (unseeded !== undefined) throw new NotCacheable(unseeded.failure.message);
  for (const pid of started.service.pids) signal(pid, 'SIGTERM');
  const hasEnded = await Promise.race([started.endedWell, sleep(END_MS, false, { ref: false })]);
  if (!hasEnded) throw new NotCacheable(`${service.name} did not end by itself`);
  await copyData(started.data, folder);
}
