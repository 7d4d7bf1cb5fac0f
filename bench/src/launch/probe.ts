import { median } from 'simple-statistics';
import { UserError } from '../base/errors.ts';
import { onPath } from '../system/on-path.ts';
import { readCpu } from '../system/usage.ts';
import { type Exchange, exchangeAt, payloadOf, requestName } from '../targets/exchange.ts';
import { expectationOf } from '../targets/expectation.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import { type Answer, clientOf, LateAnswer, NoAnswer } from './client.ts';
import { startVerified } from './ready.ts';
import type { LaunchContext, RunningServer } from './server.ts';
import { addressOf, answersPipelined, speaksTls } from './sockets.ts';

export type ProbeResult = Awaited<ReturnType<typeof probe>>;

/** One process, on all cores. */
const ALONE = { id: 'single', manager: 'none', processes: 1, cores: null } as const;
/** First requests, which are not timed. */
const FEWEST_ANSWERS = 5;
/** Then more are sent for this long, or until so much was read, to notice an answer that differs. */
const SENDING_MS = 1000;
const MOST_BYTES = 64e6;

/** Starts a server alone and sees what it answers. @throws UserError if it can't be measured as it is. */
export async function probeTarget(
  target: LocalTarget,
  status: number | null,
  context: LaunchContext,
): Promise<ProbeResult> {
  try {
    return await probe(target, status, context);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    throw new UserError(`${target.label}: ${cause.message}`, cause.next, { cause });
  }
}

async function probe(target: LocalTarget, status: number | null, context: LaunchContext) {
  const { name, external, start } = target;
  const [program] = start;
  if (external === null && !program.includes('/') && !onPath(program)) {
    throw new UserError(`there is no program "${program}"`, 'Install it, or give its path.');
  }
  const services = servicesOf(target).map((service) => {
    return { name: service, cores: null, targets: [name] };
  });
  const servers = [{ key: name, target, topology: ALONE }];
  await using ready = await startVerified({ servers, unverified: [name], services }, context);
  const server = ready.servers.get(name);
  if (server === undefined) {
    const [failure] = [...ready.notReady, ...ready.failedServices];
    const { message = 'it did not start', logTail = [] } = failure ?? {};
    throw new UserError(
      [message, ...logTail.map((line) => `  ${line}`)].join('\n'),
      `It should listen on PORT and HOST (${context.address}). See that its command works here.`,
    );
  }
  const { origin, spec } = server;
  const { signal } = context;
  const { answers, cpuNs } = await sendOften(server, signal);
  const exchange = exchangeAt(target.requests, 0);
  const requests = target.hidesRequests
    ? [{ ...exchange, expect: await expectedOf(answers, status, exchange, origin, signal) }]
    : target.requests;
  if (answers.every(({ headers }) => headers.connection === 'close')) {
    throw new UserError(
      'it closes every connection after one answer, so only opening connections could be measured',
      'Let it keep connections alive.',
    );
  }
  const { port } = addressOf(origin);
  const fixedPort = external === null && port !== spec.port ? port : target.fixedPort;
  const serviceNs = median(answers.map(({ ns }) => ns));
  return {
    /** With the answer that it gave, and its port if it ignores PORT. */
    target: { ...target, fixedPort, requests },
    /** A body for each of its requests, in their order. */
    samples: answers.slice(0, target.requests.length).map(({ body }) => payloadOf(body)),
    /** The time for one request at a time, ns. */
    serviceNs,
    /** CPU time of its processes per request, ns; `serviceNs` if that can't be read. */
    cpuNs: cpuNs ?? serviceNs,
    bytes: Math.max(...answers.map(({ body }) => body.length)),
    pipelines: await answersPipelined(origin, exchange, signal),
  };
}

/** Sends one request at a time. `cpuNs` is per request, without the first ones. @throws UserError without an answer. */
async function sendOften({ origin, pids, spec: { target } }: RunningServer, signal: AbortSignal) {
  using client = clientOf(origin, signal);
  const answers: Answer[] = [];
  let bytes = 0;
  const send = async () => {
    const exchange = exchangeAt(target.requests, answers.length);
    try {
      const answer = await client.send(exchange);
      answers.push(answer);
      bytes += answer.body.length;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (await speaksTls(origin, signal)) {
        throw new UserError('it speaks TLS', 'Start it without TLS, whose cost is not measured.');
      }
      const next =
        error instanceof LateAnswer
          ? 'See what it waits for, for example a database.'
          : `See that it answers ${requestName(exchange)} at ${origin}.`;
      throw new UserError(error.message, next);
    }
  };
  const fewest = Math.max(FEWEST_ANSWERS, target.requests.length);
  while (answers.length < fewest) await send();
  const before = await readCpu(pids);
  const endMs = performance.now() + SENDING_MS;
  do await send();
  while (performance.now() < endMs && bytes < MOST_BYTES);
  const cpuNs = (await readCpu(pids)).cpuNs - before.cpuNs;
  return { answers, cpuNs: pids.length === 0 ? null : cpuNs / (answers.length - fewest) };
}

/** The expectation that fits these answers. @throws as `expectationOf`; UserError if another host name would help. */
async function expectedOf(
  answers: readonly Answer[],
  status: number | null,
  exchange: Exchange,
  origin: string,
  signal: AbortSignal,
): Promise<Exchange['expect']> {
  try {
    return expectationOf(answers, status);
  } catch (error) {
    using client = clientOf(origin, signal);
    try {
      expectationOf([await client.send(exchange, { host: 'localhost' })], status);
    } catch (other) {
      throw other instanceof NoAnswer || other instanceof UserError ? error : other;
    }
    throw new UserError(
      'it answers only to the host name "localhost"',
      'Let it answer to 127.0.0.1 too; its framework has a setting for allowed hosts.',
    );
  }
}
