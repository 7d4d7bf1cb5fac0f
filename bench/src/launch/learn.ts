import { median } from 'simple-statistics';
import { UserError } from '../base/errors.ts';
import { serverRef, type Topology } from '../plan/topology.ts';
import { onPath } from '../system/on-path.ts';
import { readCpu } from '../system/usage.ts';
import { type Exchange, type Payload, payloadOf, requestName } from '../targets/exchange.ts';
import { learn, type ProbeResponse } from '../targets/learnt.ts';
import type { Named } from '../targets/named.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import { type Answer, asker } from './ask.ts';
import { addressOf, answersAtOnce, speaksTls } from './protocol-checks.ts';
import { startVerified } from './ready.ts';
import { HOST, type LaunchContext, type RunningServer } from './server.ts';

/** What a few requests have told of a server. */
export interface LearntTarget {
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
export async function learnTarget(
  { target, isDeclared }: Named,
  status: number | null,
  context: LaunchContext,
): Promise<LearntTarget> {
  const { start, up, label } = target;
  const [program] = start;
  const isName = up === null && !program.includes('/');
  if (isName && !onPath(program)) {
    throw new UserError(
      `${label}: there is no program "${program}"`,
      'Install it, or give its path.',
    );
  }
  const ref = serverRef(target.name, ALONE);
  const services = servicesOf(target).map((name) => {
    return { name, cores: null, targets: [target.name] };
  });
  const wanted = { refs: [ref], topologies: [ALONE], targets: [target], services };
  await using ready = await startVerified(
    { ...wanted, unverified: new Set([ref.server]) },
    context,
  );
  const server = ready.servers.get(ref.server);
  const [trouble] = [...ready.notReady, ...ready.troubles];
  if (server === undefined) {
    const { message = 'it did not start', logTail = [] } = trouble ?? {};
    throw new UserError(
      [`${label}: ${message}`, ...logTail.map((line) => `  ${line}`)].join('\n'),
      `It was told where to listen by PORT and HOST (${HOST}). See that its command works here.`,
    );
  }
  try {
    return await askServer(server, isDeclared ? null : { status }, context.signal);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    throw new UserError(`${label}: ${cause.message}`, cause.next, { cause });
  }
}

/** `learning` where the answer is not declared: which status it is to have, null for what it has. */
async function askServer(
  { spec, origin, pids }: RunningServer,
  learning: { status: number | null } | null,
  signal: AbortSignal,
): Promise<LearntTarget> {
  const { target } = spec;
  const { answers, cpuNs } = await severalAnswers(origin, target, pids, signal);
  const [exchange] = target.requests;
  if (exchange === undefined) throw new Error('a target without a request');
  const hostile = answers.find((answer) => answer.state === 'failed');
  if (hostile !== undefined) throw await whyNoAnswer(origin, exchange, hostile, signal);
  const told = answers.filter((answer) => answer.state === 'answered');
  const elsewhere = () => atAnotherHost(origin, exchange, learning?.status ?? null, signal);
  const requests =
    learning === null
      ? target.requests
      : [{ ...exchange, expect: await learntOr(told, learning.status, elsewhere) }];
  if (told.every(({ closes }) => closes)) {
    throw new UserError(
      'it closes every connection after one answer, so that opening them is all that could be measured',
      'Let it keep connections alive.',
    );
  }
  const { port } = addressOf(origin);
  const found = target.up === null && port !== spec.port ? port : null;
  const serviceNs = median(told.map(({ ns }) => ns));
  return {
    target: { ...target, fixedPort: found ?? target.fixedPort, requests },
    samples: told.slice(0, target.requests.length).map(({ body }) => payloadOf(body)),
    serviceNs,
    cpuNs: cpuNs ?? serviceNs,
    bytes: Math.max(...told.map(({ body }) => body.length)),
    pipelines: await answersAtOnce(origin, exchange, signal),
  };
}

/** Asks one request at a time; what each took the server's processes, once what runs first is over. */
async function severalAnswers(
  origin: string,
  target: LocalTarget,
  pids: readonly number[],
  signal: AbortSignal,
): Promise<{ answers: Answer[]; cpuNs: number | null }> {
  using asking = asker(origin, signal);
  const { requests } = target;
  const answers: Answer[] = [];
  let bytes = 0;
  const ask = async () => {
    const exchange = requests[answers.length % requests.length];
    if (exchange === undefined) throw new Error('a target without a request');
    const answer = await asking.ask(exchange);
    answers.push(answer);
    if (answer.state === 'answered') bytes += answer.body.length;
    return answer.state === 'answered';
  };
  // Each of a mix is asked once at least.
  const fewest = Math.max(FEWEST_ANSWERS, requests.length);
  while (answers.length < fewest) {
    if (!(await ask())) return { answers, cpuNs: null };
  }
  const before = await readCpu(pids);
  const endMs = performance.now() + ASKING_MS;
  do {
    if (!(await ask())) return { answers, cpuNs: null };
  } while (performance.now() < endMs && bytes < MOST_BYTES);
  const cpuNs = (await readCpu(pids)).cpuNs - before.cpuNs;
  return { answers, cpuNs: pids.length === 0 ? null : cpuNs / (answers.length - fewest) };
}

/** What is learnt; an error that another host name mends is told so. */
async function learntOr(
  told: ProbeResponse[],
  status: number | null,
  elsewhere: () => Promise<UserError | null>,
): Promise<Exchange['expect']> {
  try {
    return learn(told, status);
  } catch (error) {
    throw (await elsewhere()) ?? error;
  }
}

async function atAnotherHost(
  origin: string,
  exchange: Exchange,
  status: number | null,
  signal: AbortSignal,
): Promise<UserError | null> {
  using asking = asker(origin, signal);
  const answer = await asking.ask(exchange, { host: 'localhost' });
  if (answer.state === 'failed') return null;
  try {
    learn([answer], status);
  } catch {
    // That is not what it is about.
    return null;
  }
  return new UserError(
    'it answers only to the host name "localhost"',
    'Let it answer to 127.0.0.1 too; its framework has a setting for allowed hosts.',
  );
}

async function whyNoAnswer(
  origin: string,
  exchange: Exchange,
  { message, isLate }: Extract<Answer, { state: 'failed' }>,
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
