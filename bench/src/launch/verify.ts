import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../base/errors.ts';
import { CAN_SEE_SOCKETS, foreignListeners, serverOf } from '../system/sockets.ts';
import {
  type Agreed,
  bytesOf,
  declaredOnly,
  type Exchange,
  type Expectation,
  payloadOf,
  requestName,
} from '../targets/exchange.ts';
import type { RunningServer } from './server.ts';

/** What was found out about a running server before any load. */
export type Verification =
  | {
      state: 'verified';
      /** How many of its processes have answered, or null where the system can't tell. */
      processesSeen: number | null;
      /** Its requests with the very bytes that it answered. */
      agreed: Agreed[];
    }
  | { state: 'failed'; message: string };

/** Connections tried for every worker until each has answered. */
const TRIES_PER_WORKER = 40;
/** How often each request is asked at the least: an answer that changes shows. */
const TIMES_ASKED = 2;
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Checks that a server keeps its declared contract and answers each request the same every time, that the
 * answers come from the processes that were started for it, that every one of them has answered, and that
 * nobody else listens there.
 */
export async function verify(server: RunningServer, signal: AbortSignal): Promise<Verification> {
  const { port, target } = server.spec;
  const own = [...server.pids, ...server.managerPids];
  if (CAN_SEE_SOCKETS && foreignListeners(port, own) > 0) {
    return { state: 'failed', message: `another process listens on its port ${port}` };
  }
  const { requests } = target;
  const bodies = new Map<Exchange, Buffer>();
  const seen = new Set<number>();
  const fewest = TIMES_ASKED * requests.length;
  const most = CAN_SEE_SOCKETS ? Math.max(fewest, TRIES_PER_WORKER * server.pids.length) : fewest;
  for (let attempt = 0; attempt < most; attempt++) {
    if (attempt >= fewest && seen.size === server.pids.length) break;
    const exchange = requests[attempt % requests.length];
    if (exchange === undefined) throw new Error(`${target.name} has no request`);
    const answer = await ask(server, exchange, signal);
    if (answer.state === 'failed') return answer;
    const before = bodies.get(exchange);
    const problem = problemOf(answer, exchange.expect);
    if (problem !== null || (before !== undefined && !before.equals(answer.body))) {
      const other = before ?? (await bodyOf(server, exchange, signal));
      const changing = other === null ? null : changeOf(answer.body, other);
      const message = changing ?? problem ?? '';
      return {
        state: 'failed',
        message: requests.length === 1 ? message : `${requestName(exchange)}: ${message}`,
      };
    }
    bodies.set(exchange, answer.body);
    if (!CAN_SEE_SOCKETS) continue;
    if (answer.pid === null) {
      return { state: 'failed', message: 'the answer came from a process that is not its own' };
    }
    seen.add(answer.pid);
  }
  const agreed = requests.map((exchange) => agreedOf(exchange, bodies.get(exchange)));
  if (!CAN_SEE_SOCKETS) return { state: 'verified', processesSeen: null, agreed };
  if (seen.size < server.pids.length) {
    const message = `only ${seen.size} of its ${server.pids.length} processes answered in ${most} connections`;
    return { state: 'failed', message };
  }
  return { state: 'verified', processesSeen: seen.size, agreed };
}

function agreedOf(exchange: Exchange, body: Buffer | undefined): Agreed {
  const declared = declaredOnly(exchange);
  if (body === undefined) return declared;
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
  if (expected.body.kind === 'json') return valueProblem(answer.body, expected.body.value);
  const right = bytesOf(expected.body.bytes);
  if (answer.body.equals(right)) return null;
  return `it answered with the body ${excerpt(answer.body)} instead of ${excerpt(right)}`;
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
  const text = body.toString();
  return JSON.stringify(text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);
}

type Answer =
  | {
      state: 'answered';
      status: number;
      headers: IncomingMessage['headers'];
      body: Buffer;
      pid: number | null;
    }
  | { state: 'failed'; message: string };

/** What is answered to a request now; null where nothing is. */
async function bodyOf(
  server: RunningServer,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const answer = await ask(server, exchange, signal);
  return answer.state === 'answered' && answer.status === exchange.expect.status
    ? answer.body
    : null;
}

/** One request on a connection of its own, which stays open until its owner is known. */
async function ask(
  server: RunningServer,
  { request: { method, path, headers, body: sent } }: Exchange,
  signal: AbortSignal,
): Promise<Answer> {
  const agent = new Agent({ keepAlive: true });
  const limit = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const over = AbortSignal.any([signal, limit]);
      const length = sent && { 'content-length': bytesOf(sent).length };
      request(server.origin + path, {
        agent,
        method,
        headers: { ...headers, ...length },
        signal: over,
      })
        .once('response', resolve)
        .once('error', reject)
        .end(sent && bytesOf(sent));
    });
    const { localPort: client, remotePort } = response.socket;
    const body = await buffer(response);
    const pid =
      CAN_SEE_SOCKETS && client !== undefined && remotePort !== undefined
        ? serverOf({ server: remotePort, client }, server.pids)
        : null;
    return {
      state: 'answered',
      status: response.statusCode ?? 0,
      headers: response.headers,
      body,
      pid,
    };
  } catch (error) {
    signal.throwIfAborted();
    const message = limit.aborted
      ? `it gave no answer within ${ANSWER_TIMEOUT_MS / 1000} s`
      : `it gave no answer: ${messageOf(error)}`;
    return { state: 'failed', message };
  } finally {
    agent.destroy();
  }
}
