import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import { isPlain } from '../plan/topology.ts';
import { CAN_SEE_SOCKETS, foreignListeners, serverOf } from '../system/sockets.ts';
import {
  bytesOf,
  type Exchange,
  type Expectation,
  exchangeAt,
  payloadOf,
  requestName,
  unverifiedExchange,
} from '../targets/exchange.ts';
import type { ProbeResponse } from '../targets/expectation.ts';
import { type Checked, checkAnswer } from './answer-check.ts';
import { type Answer, ContractError, clientOf, NoAnswer } from './client.ts';
import type { LaunchContext, RunningServer } from './server.ts';
import { addressOf } from './sockets.ts';

/** Connections tried for every worker until each has answered. */
const TRIES_PER_WORKER = 40;
/** How often each request is sent at least: an answer that changes shows. */
const TIMES_SENT = 2;

/**
 * Checks that a server keeps its declared contract and answers each request the same every time, that the
 * answers come from the processes that were started for it, that every one of them has answered, and that
 * nobody else listens there. Returns the server with what it answered.
 * @throws ContractError for what is wrong; when the launch is aborted.
 */
export async function verify(
  server: RunningServer,
  context: LaunchContext,
): Promise<RunningServer> {
  const { origin, pids, managerPids, spec } = server;
  const { requests } = spec.target;
  // The processes that the system can tell to have answered.
  const visible = CAN_SEE_SOCKETS ? pids : [];
  const { port } = addressOf(origin);
  if (visible.length > 0 && foreignListeners(port, [...pids, ...managerPids]) > 0) {
    throw new ContractError(`another process listens on its port ${port}`);
  }
  // Of the processes of a plain command one may serve.
  const wanted = isPlain(spec.topology) ? Math.min(1, visible.length) : visible.length;
  const usual = TIMES_SENT * requests.length;
  const most = Math.max(usual, TRIES_PER_WORKER * visible.length);
  const found = new Map<Exchange, { body: Buffer; check: Checked | null }>();
  const seen = new Set<number>();
  const beganMs = performance.now();
  let startNs: number | null = null;
  for (let sent = 0; sent < most; sent++) {
    // Answers that were right in an earlier launch, to the byte, do not change: once is enough.
    const known = [...found.values()].filter(({ check }) => check?.isKnown);
    const fewest = known.length === requests.length ? requests.length : usual;
    if (sent >= fewest && seen.size >= wanted) break;
    const exchange = exchangeAt(requests, sent);
    const before = found.get(exchange);
    using client = clientOf(origin, context.signal);
    const answer = await client.send(exchange);
    await requireRight(answer, exchange, before?.body ?? null, server, context);
    if (visible.length > 0) seen.add(ownerOf(answer, visible));
    startNs ??= server.startNs && server.startNs + (performance.now() - beganMs) * 1e6;
    const { body } = answer;
    const check = before ? before.check : await checkAnswer(body, exchange, spec.target, context);
    found.set(exchange, { body, check });
  }
  if (seen.size < wanted) {
    const message = `only ${seen.size} of its ${wanted} processes answered in ${most} connections`;
    throw new ContractError(message);
  }
  return {
    ...server,
    startNs,
    agreed: requests.map((exchange) => {
      const declared = unverifiedExchange(exchange);
      const { body = null } = found.get(exchange) ?? {};
      if (body === null || mayChange(exchange)) return declared;
      return { ...declared, answer: { ...declared.answer, body: payloadOf(body) } };
    }),
    judged: [...found].flatMap(([exchange, { check }]) => {
      return check === null ? [] : { request: requestName(exchange), figures: check.figures };
    }),
  };
}

/** @throws ContractError for an answer that is wrong, by itself or compared with the one before. */
async function requireRight(
  answer: Answer,
  exchange: Exchange,
  before: Buffer | null,
  { origin, spec }: RunningServer,
  { signal }: LaunchContext,
): Promise<void> {
  const problem = problemOf(answer, exchange.expect);
  const isFixed = !mayChange(exchange);
  if (problem === null && (!isFixed || before === null || before.equals(answer.body))) return;
  // Another answer tells one that changes from one that is always wrong.
  using client = clientOf(origin, signal);
  const again = before === null && isFixed ? await client.send(exchange).catch(noAnswer) : null;
  const other = before ?? (again?.status === exchange.expect.status ? again.body : null);
  const isChanging = isFixed && other !== null && !other.equals(answer.body);
  const name = spec.target.requests.length === 1 ? '' : `${requestName(exchange)}: `;
  throw new ContractError(
    isChanging
      ? `${name}it does not answer the same every time, so that nothing could be compared under load: ` +
          `${excerpt(other)}, and then ${excerpt(answer.body)}`
      : `${name}${problem}`,
  );
}

function noAnswer(error: unknown): null {
  if (error instanceof NoAnswer) return null;
  throw error;
}

/** Whether every answer to a request may have a body of its own. */
function mayChange({ expect: { body } }: Exchange): boolean {
  return body.kind === 'any' || body.kind === 'length';
}

/** The process that holds the server's end of a connection. @throws ContractError where it is none of these. */
function ownerOf({ ports }: Answer, pids: readonly number[]): number {
  const pid = ports && serverOf(ports, pids);
  if (pid === null) throw new ContractError('the answer came from a process that is not its own');
  return pid;
}

const anyJson = z.unknown().transform((value) => ({ value }));

/** How this answer differs from the declared one, or null when it does not. */
export function problemOf(
  { status, headers, body }: ProbeResponse,
  expected: Expectation,
): string | null {
  const wrong = (found: string, right: string | number) => {
    return `it answered with ${found} instead of ${right}`;
  };
  if (status !== expected.status) return wrong(`status ${status}`, expected.status);
  for (const [name, value] of Object.entries(expected.headers)) {
    const found = headers[name.toLowerCase()];
    if (found !== value) return wrong(`${name}: ${found ?? 'nothing'}`, value);
  }
  const right = expected.body;
  switch (right.kind) {
    case 'any':
    // Checked by a command, once what can be seen at a glance is right.
    case 'check':
      return null;
    case 'length':
      if (body.length === right.bytes) return null;
      return wrong(`a body of ${body.length} bytes`, right.bytes);
    case 'digest':
      throw new Error('the digest that a record keeps of an answer can not be verified');
    case 'json': {
      const found = parseJson(body.toString(), anyJson);
      if (found === null) return `it answered with ${excerpt(body)}, which is no JSON`;
      if (isDeepStrictEqual(found.value, right.value)) return null;
      return wrong(`the JSON ${excerpt(body)}`, excerpt(Buffer.from(JSON.stringify(right.value))));
    }
    case 'bytes': {
      const bytes = bytesOf(right.bytes);
      return body.equals(bytes) ? null : wrong(`the body ${excerpt(body)}`, excerpt(bytes));
    }
  }
}

const EXCERPT = 60;

function excerpt(body: Buffer): string {
  if (payloadOf(body).encoding !== 'utf8') return `${body.length} bytes that are no text`;
  const text = body.toString();
  return JSON.stringify(text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);
}
