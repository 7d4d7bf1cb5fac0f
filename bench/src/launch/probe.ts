import { median } from 'simple-statistics';
import { UserError } from '../base/errors.ts';
import { serverRef, type Topology } from '../plan/topology.ts';
import { onPath } from '../system/on-path.ts';
import { readCpu } from '../system/usage.ts';
import {
  type Exchange,
  inTurn,
  type Payload,
  payloadOf,
  requestName,
} from '../targets/exchange.ts';
import { expectationOf } from '../targets/expectation.ts';
import type { Named } from '../targets/named.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import { type Answer, asker, NoAnswer } from './ask.ts';
import { startVerified } from './ready.ts';
import type { LaunchContext, RunningServer } from './server.ts';
import { addressOf, answersAtOnce, speaksTls } from './sockets.ts';

/** What a few requests have told of a server. */
export interface ProbeResult {
  /** With the answer that it gives, and the port that it insists on. */
  target: LocalTarget;
  /** A body that it answers each of its requests with, in their order. */
  samples: Payload[];
  /** What it takes for a request, alone with it, ns. */
  serviceNs: number;
  /** CPU time of its processes for one, ns; where nobody can read it, as long as it takes. */
  cpuNs: number;
  /** Of its body. */
  bytes: number;
  /** Whether it answers in order what comes at once on one connection. */
  pipelines: boolean;
}

/** One process, on all cores. */
const ALONE: Topology = {
  ...{ id: 'single', names: ['single'], manager: 'none', processes: 1 },
  ...{ cores: null, spareCores: [] },
};
/** A few requests, so that what runs first is over, … */
const FEWEST_ANSWERS = 5;
/** … and more for so long, or until so much has been read, so that one that differs is seen. */
const ASKING_MS = 1000;
const MOST_BYTES = 64e6;

/**
 * Starts a server alone, asks it what its target is asked, and ends it again.
 * @param status that the answer is to have; null for what it has
 * @throws UserError for a server that can't be measured as it is, with what to do about it.
 */
export async function probeTarget(
  { target, isDeclared }: Named,
  status: number | null,
  context: LaunchContext,
): Promise<ProbeResult> {
  const { name, label, external, start } = target;
  const [program] = start;
  if (external === null && !program.includes('/') && !onPath(program)) {
    throw new UserError(
      `${label}: there is no program "${program}"`,
      'Install it, or give its path.',
    );
  }
  const ref = serverRef(name, ALONE);
  const services = servicesOf(target).map((service) => {
    return { name: service, cores: null, targets: [name] };
  });
  const wanted = { refs: [ref], topologies: [ALONE], targets: [target], services };
  await using ready = await startVerified(
    { ...wanted, unverified: new Set([ref.server]) },
    context,
  );
  const server = ready.servers.get(ref.server);
  if (server === undefined) {
    const [trouble] = [...ready.notReady, ...ready.troubles];
    const { message = 'it did not start', logTail = [] } = trouble ?? {};
    throw new UserError(
      [`${label}: ${message}`, ...logTail.map((line) => `  ${line}`)].join('\n'),
      `It was told where to listen by PORT and HOST (${context.address}). See that its command works here.`,
    );
  }
  try {
    return await probeServer(server, isDeclared ? null : { status }, context.signal);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    throw new UserError(`${label}: ${cause.message}`, cause.next, { cause });
  }
}

/** `unknown` where the answer is not declared: which status it is to have, null for what it has. */
async function probeServer(
  { spec, origin, pids }: RunningServer,
  unknown: { status: number | null } | null,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const { target } = spec;
  const exchange = inTurn(target.requests, 0);
  const { answers, cpuNs } = await askOften(origin, target.requests, pids, signal);
  const requests =
    unknown === null
      ? target.requests
      : [
          {
            ...exchange,
            expect: await expectedOf(answers, unknown.status, origin, exchange, signal),
          },
        ];
  if (answers.every(({ closes }) => closes)) {
    throw new UserError(
      'it closes every connection after one answer, so that opening them is all that could be measured',
      'Let it keep connections alive.',
    );
  }
  const { port } = addressOf(origin);
  const fixedPort = target.external === null && port !== spec.port ? port : target.fixedPort;
  const serviceNs = median(answers.map(({ ns }) => ns));
  return {
    target: { ...target, fixedPort, requests },
    samples: answers.slice(0, target.requests.length).map(({ body }) => payloadOf(body)),
    serviceNs,
    cpuNs: cpuNs ?? serviceNs,
    bytes: Math.max(...answers.map(({ body }) => body.length)),
    pipelines: await answersAtOnce(origin, exchange, signal),
  };
}

/**
 * Asks one request at a time; what each took the server's processes, once what runs first is over.
 * @throws UserError for a request that gets no answer, with why.
 */
async function askOften(
  origin: string,
  requests: readonly Exchange[],
  pids: readonly number[],
  signal: AbortSignal,
): Promise<{ answers: Answer[]; cpuNs: number | null }> {
  using asking = asker(origin, signal);
  const answers: Answer[] = [];
  let bytes = 0;
  const ask = async () => {
    const exchange = inTurn(requests, answers.length);
    try {
      const answer = await asking.ask(exchange);
      answers.push(answer);
      bytes += answer.body.length;
    } catch (error) {
      throw error instanceof NoAnswer ? await whyNot(error, exchange, origin, signal) : error;
    }
  };
  // Each of a mix is asked once at least.
  const fewest = Math.max(FEWEST_ANSWERS, requests.length);
  while (answers.length < fewest) await ask();
  const before = await readCpu(pids);
  const endMs = performance.now() + ASKING_MS;
  do await ask();
  while (performance.now() < endMs && bytes < MOST_BYTES);
  const cpuNs = (await readCpu(pids)).cpuNs - before.cpuNs;
  return { answers, cpuNs: pids.length === 0 ? null : cpuNs / (answers.length - fewest) };
}

async function whyNot(
  { message, isLate }: NoAnswer,
  exchange: Exchange,
  origin: string,
  signal: AbortSignal,
): Promise<UserError> {
  if (await speaksTls(origin, signal)) {
    return new UserError('it speaks TLS', 'Start it without: what TLS costs is not measured.');
  }
  const next = isLate
    ? 'See what it waits for: a database that is not there, say.'
    : `See that it answers ${requestName(exchange)} at ${origin}.`;
  return new UserError(message, next);
}

/** What these answers let expect; an error that another host name mends is told so. */
async function expectedOf(
  answers: readonly Answer[],
  status: number | null,
  origin: string,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Exchange['expect']> {
  try {
    return expectationOf(answers, status);
  } catch (error) {
    if (!(await answersAs('localhost', status, origin, exchange, signal))) throw error;
    throw new UserError(
      'it answers only to the host name "localhost"',
      'Let it answer to 127.0.0.1 too; its framework has a setting for allowed hosts.',
    );
  }
}

async function answersAs(
  host: string,
  status: number | null,
  origin: string,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<boolean> {
  using asking = asker(origin, signal);
  try {
    expectationOf([await asking.ask(exchange, { host })], status);
    return true;
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof UserError) return false;
    throw error;
  }
}
