import { isDeepStrictEqual } from 'node:util';
import { isPlain } from '../plan/topology.ts';
import { CAN_SEE_SOCKETS, foreignListeners, serverOf } from '../system/sockets.ts';
import {
  bytesOf,
  declaredOnly,
  type Exchange,
  type Expectation,
  type ExpectedExchange,
  inTurn,
  payloadOf,
  requestName,
} from '../targets/exchange.ts';
import { type Answer, asker, Breach, NoAnswer } from './ask.ts';
import { type Judgement, judge } from './judge.ts';
import type { LaunchContext, RunningServer } from './server.ts';
import { addressOf } from './sockets.ts';

/** What was found out about a running server before any load: it is as declared, with what it answered, or is not. */
export type Verification =
  | ({ state: 'verified' } & Examined)
  | { state: 'failed'; message: string };

type Examined = Pick<RunningServer, 'agreed' | 'judged' | 'startNs'>;

/** Connections tried for every worker until each has answered. */
const TRIES_PER_WORKER = 40;
/** How often each request is asked at the least: an answer that changes shows. */
const TIMES_ASKED = 2;

/**
 * Checks that a server keeps its declared contract and answers each request the same every time, that the
 * answers come from the processes that were started for it, that every one of them has answered, and that
 * nobody else listens there.
 */
export async function verify(server: RunningServer, context: LaunchContext): Promise<Verification> {
  try {
    return { state: 'verified', ...(await examine(server, context)) };
  } catch (error) {
    if (!(error instanceof Breach)) throw error;
    return { state: 'failed', message: server.killedBy() ?? error.message };
  }
}

/** @throws Breach for what is wrong. */
async function examine(server: RunningServer, context: LaunchContext): Promise<Examined> {
  const { spec, pids } = server;
  const { requests } = spec.target;
  requireOwnPort(server);
  const wanted = workersOf(server);
  const usual = TIMES_ASKED * requests.length;
  const most = Math.max(usual, TRIES_PER_WORKER * (seesOwner(server) ? pids.length : 0));
  const bodies = new Map<Exchange, Buffer>();
  const judgements = new Map<Exchange, Judgement>();
  const seen = new Set<number>();
  const beganMs = performance.now();
  let startNs: number | null = null;
  for (let attempt = 0; attempt < most; attempt++) {
    // Answers to the byte like those of an earlier launch don't change, which is told without asking again.
    const known = [...judgements.values()].filter(({ isKnown }) => isKnown);
    const fewest = known.length === requests.length ? requests.length : usual;
    if (attempt >= fewest && seen.size >= wanted) break;
    const exchange = inTurn(requests, attempt);
    const answer = await rightAnswer(exchange, bodies.get(exchange) ?? null, server, context);
    startNs ??= server.startNs && server.startNs + (performance.now() - beganMs) * 1e6;
    if (!judgements.has(exchange)) {
      const judgement = await judge(answer.body, exchange, spec.target, context);
      if (judgement !== null) judgements.set(exchange, judgement);
    }
    bodies.set(exchange, answer.body);
    if (answer.owner !== null) seen.add(answer.owner);
  }
  if (seen.size < wanted) {
    const message = `only ${seen.size} of its ${wanted} processes answered in ${most} connections`;
    throw new Breach(message);
  }
  return {
    startNs,
    agreed: requests.map((exchange) => agreedOf(exchange, bodies.get(exchange))),
    judged: [...judgements].map(([exchange, { figures }]) => {
      return { request: requestName(exchange), figures };
    }),
  };
}

/** @throws Breach where another process listens on its port too. */
function requireOwnPort(server: RunningServer): void {
  const { port } = addressOf(server.origin);
  if (!seesOwner(server)) return;
  if (foreignListeners(port, [...server.pids, ...server.managerPids]) === 0) return;
  throw new Breach(`another process listens on its port ${port}`);
}

/** How many of its processes have to be seen to answer: of those of a plain command one may serve. */
function workersOf(server: RunningServer): number {
  if (!seesOwner(server)) return 0;
  return isPlain(server.spec.topology) ? 1 : server.pids.length;
}

/**
 * Asks once, over a connection of its own, and tells which process has answered, null where the system doesn't.
 * @throws Breach for an answer that is wrong, by itself or beside the one before.
 */
async function rightAnswer(
  exchange: Exchange,
  before: Buffer | null,
  server: RunningServer,
  { signal }: LaunchContext,
): Promise<{ body: Buffer; owner: number | null }> {
  using asking = asker(server.origin, signal);
  const answer = await asking.ask(exchange);
  const { expect } = exchange;
  const problem = problemOf(answer, expect);
  const mayChange = expect.body.kind === 'any' || expect.body.kind === 'length';
  if (problem === null && (mayChange || before === null || before.equals(answer.body))) {
    return { body: answer.body, owner: ownerOf(answer, server) };
  }
  const other = before ?? (await bodyNow(exchange, server.origin, signal));
  const changing = other === null || mayChange ? null : changeOf(answer.body, other);
  const isOnly = server.spec.target.requests.length === 1;
  throw new Breach(`${isOnly ? '' : `${requestName(exchange)}: `}${changing ?? problem}`);
}

/** What is answered to a request now; null where nothing is. */
async function bodyNow(
  exchange: Exchange,
  origin: string,
  signal: AbortSignal,
): Promise<Buffer | null> {
  using asking = asker(origin, signal);
  try {
    const { status, body } = await asking.ask(exchange);
    return status === exchange.expect.status ? body : null;
  } catch (error) {
    if (error instanceof NoAnswer) return null;
    throw error;
  }
}

/** The process that holds the server's end of a connection. @throws Breach where it is none of the server's. */
function ownerOf({ ports }: Answer, server: RunningServer): number | null {
  if (!seesOwner(server)) return null;
  const pid = ports && serverOf(ports, server.pids);
  if (pid === null) throw new Breach('the answer came from a process that is not its own');
  return pid;
}

/** Whether the system tells which of its processes has answered. */
function seesOwner({ pids }: RunningServer): boolean {
  return CAN_SEE_SOCKETS && pids.length > 0;
}

function agreedOf(exchange: Exchange, body: Buffer | undefined): ExpectedExchange {
  const declared = declaredOnly(exchange);
  const { kind } = exchange.expect.body;
  if (body === undefined || kind === 'any' || kind === 'length') return declared;
  return { ...declared, answer: { ...declared.answer, body: payloadOf(body) } };
}

/** How this answer differs from the declared one, or null when it does not. */
export function problemOf(
  answer: Pick<Answer, 'status' | 'headers' | 'body'>,
  expected: Expectation,
): string | null {
  if (answer.status !== expected.status) {
    return `it answered with status ${answer.status} instead of ${expected.status}`;
  }
  for (const [name, value] of Object.entries(expected.headers)) {
    const found = answer.headers[name.toLowerCase()];
    if (found !== value) {
      return `it answered with ${name}: ${found ?? 'nothing'} instead of ${value}`;
    }
  }
  return bodyProblem(answer.body, expected.body);
}

function bodyProblem(body: Buffer, expected: Expectation['body']): string | null {
  switch (expected.kind) {
    case 'any':
    // By a command, once what can be seen at a glance is right.
    case 'check':
      return null;
    case 'length': {
      const { bytes } = expected;
      if (body.length === bytes) return null;
      return `it answered with a body of ${body.length} bytes instead of ${bytes}`;
    }
    case 'digest':
      throw new Error('what a record keeps of an answer is nothing to verify by');
    case 'json':
      return valueProblem(body, expected.value);
    case 'bytes': {
      const right = bytesOf(expected.bytes);
      if (body.equals(right)) return null;
      return `it answered with the body ${excerpt(body)} instead of ${excerpt(right)}`;
    }
  }
}

function valueProblem(body: Buffer, expected: unknown): string | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return `it answered with ${excerpt(body)}, which is no JSON`;
  }
  if (isDeepStrictEqual(value, expected)) return null;
  const right = Buffer.from(JSON.stringify(expected));
  return `it answered with the JSON ${excerpt(body)} instead of ${excerpt(right)}`;
}

/** Says that two bodies of answers to one request differ; null where they do not. */
function changeOf(body: Buffer, other: Buffer): string | null {
  if (body.equals(other)) return null;
  return (
    `it does not answer the same every time, so that nothing could be compared under load: ` +
    `${excerpt(other)}, and then ${excerpt(body)}`
  );
}

const EXCERPT = 60;

function excerpt(body: Buffer): string {
  if (payloadOf(body).encoding !== 'utf8') return `${body.length} bytes that are no text`;
  const text = body.toString();
  return JSON.stringify(text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);
}
