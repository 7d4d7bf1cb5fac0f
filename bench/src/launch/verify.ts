import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { isPlain } from '../plan/topology.ts';
import { CAN_SEE_SOCKETS, foreignListeners, serverOf } from '../system/sockets.ts';
import {
  bytesOf,
  declaredOnly,
  type Exchange,
  type Expectation,
  type ExpectedExchange,
  payloadOf,
  requestName,
} from '../targets/exchange.ts';
import { asker } from './ask.ts';
import { judge } from './judge.ts';
import { addressOf } from './protocol-checks.ts';
import type { CheckResult, LaunchContext, RunningServer } from './server.ts';

/** What was found out about a running server before any load. */
export type Verification =
  | {
      state: 'verified';
      /** How many of its processes have answered, or null where the system can't tell. */
      processesSeen: number | null;
      /** Its requests with the very bytes that it answered. */
      agreed: ExpectedExchange[];
      /** What commands found out about its answers, where it declares such. */
      judged: CheckResult[];
    }
  | { state: 'failed'; message: string };

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
  const { spec, origin, pids } = server;
  const { requests, name } = spec.target;
  const { port } = addressOf(origin);
  if (seesOwner(server) && foreignListeners(port, [...pids, ...server.managerPids]) > 0) {
    return { state: 'failed', message: `another process listens on its port ${port}` };
  }
  // Of the processes of a plain command one may serve.
  const wanted = isPlain(spec.topology) ? Math.min(1, pids.length) : pids.length;
  const found: Found = { bodies: new Map(), judged: new Map(), known: 0, pids: new Set() };
  const usual = TIMES_ASKED * requests.length;
  const most = seesOwner(server) ? Math.max(usual, TRIES_PER_WORKER * pids.length) : usual;
  for (let attempt = 0; attempt < most; attempt++) {
    // Answers to the byte like those of an earlier launch don't change, which is told without asking again.
    const fewest = found.known === requests.length ? requests.length : usual;
    if (attempt >= fewest && found.pids.size >= wanted) break;
    const exchange = requests[attempt % requests.length];
    if (exchange === undefined) throw new Error(`${name} has no request`);
    const problem = await askOnce(exchange, server, context, found);
    if (problem !== null) return { state: 'failed', message: problem };
  }
  const agreed = requests.map((exchange) => agreedOf(exchange, found.bodies.get(exchange)));
  const verified = { state: 'verified' as const, agreed, judged: [...found.judged.values()] };
  if (!seesOwner(server)) return { ...verified, processesSeen: null };
  const { size } = found.pids;
  if (size < wanted) {
    const message = `only ${size} of its ${wanted} processes answered in ${most} connections`;
    return { state: 'failed', message };
  }
  return { ...verified, processesSeen: size };
}

/** What the answers of a server have told so far. */
interface Found {
  /** The last one to each request. */
  bodies: Map<Exchange, Buffer>;
  judged: Map<Exchange, CheckResult>;
  /** How many of these were judged in an earlier launch. */
  known: number;
  /** The processes that have answered. */
  pids: Set<number>;
}

/** Whether the system tells which of its processes has answered. */
function seesOwner({ pids }: RunningServer): boolean {
  return CAN_SEE_SOCKETS && pids.length > 0;
}

/** Asks once, and adds what that tells. Returns what is wrong; null where nothing is. */
async function askOnce(
  exchange: Exchange,
  server: RunningServer,
  context: LaunchContext,
  found: Found,
): Promise<string | null> {
  const { spec, origin, pids } = server;
  const { signal } = context;
  using asking = asker(origin, signal);
  const answer = await asking.ask(exchange);
  if (answer.state === 'failed') return answer.message;
  const before = found.bodies.get(exchange) ?? null;
  const problem = await problemWith(answer, exchange, before, server, signal);
  if (problem !== null) {
    return spec.target.requests.length === 1 ? problem : `${requestName(exchange)}: ${problem}`;
  }
  const misjudged = await judgeOnce(exchange, answer.body, server, context, found);
  if (misjudged !== null) return misjudged;
  found.bodies.set(exchange, answer.body);
  if (!seesOwner(server)) return null;
  const pid = answer.ports && serverOf(answer.ports, pids);
  if (pid === null) return 'the answer came from a process that is not its own';
  found.pids.add(pid);
  return null;
}

/** Has the first answer to a request judged, where a command judges it. Returns what is wrong; null where nothing is. */
async function judgeOnce(
  exchange: Exchange,
  answer: Buffer,
  { spec }: RunningServer,
  context: LaunchContext,
  found: Found,
): Promise<string | null> {
  const { body } = exchange.expect;
  if (body.kind !== 'check' || found.judged.has(exchange)) return null;
  const judgement = await judge(answer, body.command, spec.target, context);
  const request = requestName(exchange);
  if (judgement.state === 'wrong') return `${request}: ${judgement.message}`;
  found.judged.set(exchange, { request, figures: judgement.figures });
  if (judgement.isKnown) found.known++;
  return null;
}

/** What is wrong with an answer, by itself or beside the one before; null where nothing is. */
async function problemWith(
  answer: Parameters<typeof problemOf>[0],
  exchange: Exchange,
  before: Buffer | null,
  server: RunningServer,
  signal: AbortSignal,
): Promise<string | null> {
  const { expect } = exchange;
  const problem = problemOf(answer, expect);
  const mayChange = expect.body.kind === 'any' || expect.body.kind === 'length';
  if (problem === null && (mayChange || before === null || before.equals(answer.body))) return null;
  const other = before ?? (await bodyOf(server, exchange, signal));
  const changing = other === null || mayChange ? null : changeOf(answer.body, other);
  return changing ?? problem;
}

function agreedOf(exchange: Exchange, body: Buffer | undefined): ExpectedExchange {
  const declared = declaredOnly(exchange);
  const { kind } = exchange.expect.body;
  if (body === undefined || kind === 'any' || kind === 'length') return declared;
  return { ...declared, answer: { ...declared.answer, body: payloadOf(body) } };
}

/** How this answer differs from the declared one, or null when it does not. */
export function problemOf(
  answer: { status: number; headers: IncomingMessage['headers']; body: Buffer },
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

/** What is answered to a request now; null where nothing is. */
async function bodyOf(
  { origin }: RunningServer,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Buffer | null> {
  using asking = asker(origin, signal);
  const answer = await asking.ask(exchange);
  return answer.state === 'answered' && answer.status === exchange.expect.status
    ? answer.body
    : null;
}
