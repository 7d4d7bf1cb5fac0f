import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import type { PlannedService } from '../plan/services.ts';
import { SERVICES, type ServiceName } from '../services/index.ts';
import { programsOf } from '../services/programs.ts';
import type { RunningService } from '../services/running.ts';
import { LOOPBACK, type Place, type Service } from '../services/service.ts';
import { freePort } from '../system/free-port.ts';
import { isAlive } from '../system/processes.ts';
import { endGroup } from './end-group.ts';
import { copyData, type Failed, fillFresh } from './fresh-data.ts';
import { startLogged } from './logged.ts';
import { closedEnvironment, duringStart, type LaunchContext, lastLines } from './server.ts';

/** Why a service can't be used. */
export interface ServiceTrouble {
  name: ServiceName;
  message: string;
  logTail: string[];
}

/** A process that is to be ended, and what it leaves. */
export interface Instance {
  leader: number;
  /** The folder of its data. */
  data: string;
  /** Whether it has ended by itself and well, once it has ended. */
  ended: Promise<boolean>;
}

/** What becomes of a service that is started. */
export type Started =
  | { state: 'running'; service: RunningService }
  | { state: 'failed'; trouble: ServiceTrouble };

/** Where the data of an instance come from: made anew, or, copied, from a folder. */
export type Source = { kind: 'fresh' } | { kind: 'template'; folder: string };

/**
 * Starts an instance of a service in a folder of its own within the run's, and waits until it serves.
 * Whoever does is told of its process at once, and has to end it.
 * @throws when the launch is aborted.
 */
export async function startInstance(
  { name, cores }: Pick<PlannedService, 'name' | 'cores'>,
  source: Source,
  context: LaunchContext,
  onProcess: (instance: Instance) => void,
): Promise<Started> {
  const service = SERVICES[name];
  const place = await makePlace(name, service, context.folder);
  const log = join(place.folder, 'log');
  const failed = (message: string, logTail = lastLines(log)): Started => {
    return { state: 'failed', trouble: { name, message, logTail } };
  };
  const programs = programsOf(service);
  if (programs.state === 'missing') return failed(`${programs.program} is not here`);
  const version = await versionOf(programs.server, service);
  // MariaDB clears its temporary folder at its start, of another one's tables too where they share it.
  const environment = { ...closedEnvironment(place.folder), TMPDIR: place.folder };
  const shared = { log, directory: place.folder, environment };
  const made = { name: templateName(name, version), program: programs.fresh, ...shared };
  const problem = await makeData(place, service, source, made, context);
  if (problem !== null) return failed(`its data could not be made: ${problem.message}`);

  const command: [string, ...string[]] = [programs.server, ...service.args(place)];
  const child = startLogged({ command, cores, channel: false, ...shared });
  const { pid } = child;
  if (pid === undefined) return failed('it did not start');
  const ended = child.then(({ exitCode }) => exitCode === 0);
  onProcess({ leader: pid, data: place.data, ended });
  context.guard(pid);
  const isUp = await duringStart(context, async () => {
    if (!isAlive(pid)) return false;
    return (await serves(place, service)) ? true : null;
  });
  if (isUp === null) return failed(`it did not serve within ${context.startTimeoutMs / 1000} s`);
  if (!isUp) {
    const { signal, exitCode } = await child;
    return failed(`it ended with ${signal ?? `code ${exitCode}`} while starting`);
  }
  const running = {
    ...{ name, version, pids: [pid], environment: service.environment(place) },
    isAlive: () => isAlive(pid),
    logTail: () => lastLines(log),
  };
  return { state: 'running', service: running };
}

/** Ends an instance, and removes its data: a run has many launches, and a database its 100 MB in each. */
export async function endInstance(
  { leader, data }: Instance,
  context: LaunchContext,
): Promise<void> {
  await endGroup(leader, context);
  await rm(data, { recursive: true, force: true });
}

/** What the data of this version of a service are called in the cache. */
export function templateName(name: ServiceName, version: string): string {
  return `${name}-${version.replaceAll(/[^\w.+-]/g, '_')}`;
}

async function makePlace(name: string, { files }: Service, folder: string): Promise<Place> {
  const own = mkdtempSync(join(folder, `${name}-`));
  const data = join(own, 'data');
  mkdirSync(data);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(own, file), text);
  return {
    folder: own,
    data,
    socket: join(own, 'socket'),
    port: await freePort(LOOPBACK),
  };
}

interface Making {
  /** Of the template of fresh data. */
  name: string;
  program: string | null;
  log: string;
  directory: string;
  environment: Record<string, string>;
}

/** Makes what the service needs in the folder of its data. Returns why it could not, or null. */
async function makeData(
  { data }: Place,
  { fresh }: Service,
  source: Source,
  { name, program, ...shared }: Making,
  context: LaunchContext,
): Promise<Failed | null> {
  if (source.kind === 'template') {
    await copyData(source.folder, data);
    return null;
  }
  if (fresh === null || program === null) return null;
  const commandFor = (folder: string): [string, ...string[]] => [program, ...fresh.args(folder)];
  return await fillFresh(data, { name, commandFor, ...shared }, context);
}

/** The version that the program of a service says it is of. */
export async function versionOf(program: string, { version }: Service): Promise<string> {
  const { stdout } = await execa(program, [...version.args], { reject: false, stdin: 'ignore' });
  return versionIn(stdout ?? '', version);
}

/** The version in what the program of a service says. */
export function versionIn(said: string, { pattern }: Service['version']): string {
  return pattern.exec(said)?.[1] ?? 'unknown';
}

const ANSWER_MS = 1000;

/** Whether it answers on its socket and on its port. */
async function serves({ socket, port }: Place, { greeting }: Service): Promise<boolean> {
  return (
    (await greets({ path: socket }, greeting)) && (await greets({ host: LOOPBACK, port }, greeting))
  );
}

function greets(
  address: { path: string } | { host: string; port: number },
  { say, isAnswer }: Service['greeting'],
): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect({ ...address, timeout: ANSWER_MS });
    const end = (answered: boolean) => {
      connection.destroy();
      resolve(answered);
    };
    connection.once('connect', () => connection.write(say));
    connection.once('data', (bytes) => end(isAnswer(bytes)));
    for (const event of ['error', 'close', 'timeout'] as const) {
      connection.once(event, () => end(false));
    }
  });
}
