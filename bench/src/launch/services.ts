import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import getPort from 'get-port';
import type { PlannedService } from '../plan/services.ts';
import { SERVICES, type ServiceName } from '../services/index.ts';
import { programsOf } from '../services/programs.ts';
import type { RunningService } from '../services/running.ts';
import { LOOPBACK, type Place, type Service } from '../services/service.ts';
import { isAlive } from '../system/processes.ts';
import { endGroup } from './end-group.ts';
import { fillFresh } from './fresh-data.ts';
import { type Logged, startLogged } from './logged.ts';
import { closedEnvironment, duringStart, type LaunchContext, lastLines } from './server.ts';

/** Why a service can't be used. */
export interface ServiceTrouble {
  name: ServiceName;
  message: string;
  lastWords: string[];
}

/** Services started together; disposing of them kills their processes and waits until they are gone. */
export interface LaunchedServices extends AsyncDisposable {
  readonly running: RunningService[];
  readonly failed: ServiceTrouble[];
}

/**
 * Starts these services together, each in a folder of its own within the run's.
 * @throws when it is aborted; nothing is left running then.
 */
export async function startServices(
  planned: readonly PlannedService[],
  context: LaunchContext,
): Promise<LaunchedServices> {
  const instances: Instance[] = [];
  const dispose = async () => {
    await Promise.all(
      instances.splice(0).map(async ({ leader, data }) => {
        await endGroup(leader, context);
        // A run has many launches, and a database its 100 MB in each.
        await rm(data, { recursive: true, force: true });
      }),
    );
  };
  try {
    const started = await Promise.all(planned.map((each) => start(each, context, instances)));
    return {
      running: started.flatMap((each) => (each.state === 'running' ? [each.service] : [])),
      failed: started.flatMap((each) => (each.state === 'failed' ? [each.trouble] : [])),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A process that is to be ended, and what it leaves. */
interface Instance {
  leader: number;
  data: string;
}

type Started =
  | { state: 'running'; service: RunningService }
  | { state: 'failed'; trouble: ServiceTrouble };

async function start(
  { name, cores }: PlannedService,
  context: LaunchContext,
  instances: Instance[],
): Promise<Started> {
  const service = SERVICES[name];
  const place = await makePlace(name, service, context.folder);
  const log = join(place.folder, 'log');
  const failed = (message: string, lastWords = lastLines(log)): Started => {
    return { state: 'failed', trouble: { name, message, lastWords } };
  };
  const programs = programsOf(service);
  if (programs.state === 'missing') return failed(`${programs.program} is not here`);
  const version = await versionOf(programs.server, service);
  const shared = { log, directory: place.folder, environment: closedEnvironment(place.folder) };
  const problem = await makeData(
    place,
    { name, version, program: programs.fresh, ...shared },
    context,
  );
  if (problem !== null) return failed(`its data could not be made: ${problem.message}`);

  const command: Logged['command'] = [programs.server, ...service.args(place)];
  const child = startLogged({ command, cores, channel: false, ...shared });
  const { pid } = child;
  if (pid === undefined) return failed('it did not start');
  instances.push({ leader: pid, data: place.data });
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
  const environment = service.environment(place);
  const running = { name, version, pids: [pid], environment, lastWords: () => lastLines(log) };
  return { state: 'running', service: running };
}

async function makePlace(name: ServiceName, { files }: Service, folder: string): Promise<Place> {
  const own = mkdtempSync(join(folder, `${name}-`));
  const data = join(own, 'data');
  mkdirSync(data);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(own, file), text);
  return {
    folder: own,
    data,
    socket: join(own, 'socket'),
    port: await getPort({ host: LOOPBACK }),
  };
}

interface Fresh extends Pick<Logged, 'log' | 'directory' | 'environment'> {
  name: ServiceName;
  version: string;
  program: string | null;
}

/** Makes what the service needs in the folder of its data. Returns why it could not, or null. */
async function makeData(
  { data }: Place,
  { name, version, program, ...shared }: Fresh,
  context: LaunchContext,
) {
  const { fresh } = SERVICES[name];
  if (fresh === null || program === null) return null;
  const template = `${name}-${version.replaceAll(/[^\w.+-]/g, '_')}`;
  const commandFor = (folder: string): [string, ...string[]] => [program, ...fresh.args(folder)];
  return await fillFresh(data, { name: template, commandFor, ...shared }, context);
}

async function versionOf(program: string, { version }: Service): Promise<string> {
  const { stdout } = await execa(program, [...version.args], { reject: false, stdin: 'ignore' });
  return version.pattern.exec(stdout ?? '')?.[1] ?? 'unknown';
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
