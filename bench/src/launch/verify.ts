/** Checks, before any load, that a server keeps the contract that its target declares. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import { isPlain } from '../plan/topology.ts';
import { CAN_SEE_SOCKETS, foreignListeners, serverOf } from '../system/sockets.ts';
import { type Exchange, exchangeAt, requestName } from '../targets/exchange.ts';
import { excerpt, mayChange, problemOf, verifiedExchange } from '../targets/expectation.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { type Answer, ContractError, clientOf, NoAnswer } from './client.ts';
import { declaredCommand, lastLines, runLogged } from './process-group.ts';
import type { LaunchContext, RunningServer } from './server.ts';
import { addressOf } from './sockets.ts';

/** Connections to open per worker before giving up on those that have not answered. */
const TRIES_PER_WORKER = 40;
/** Each request is sent at least this often, to notice an answer that changes. */
const TIMES_SENT = 2;

/**
 * Checks that a server answers each request as declared and the same every time, that all its processes, and only they,
 * answer, and that no other process listens on its port. Returns the server with its answers.
 * @throws ContractError if it breaks its contract; when the launch is aborted.
 */
export async function verify(server: RunningServer, context: LaunchContext) {
  const { origin, pids, managerPids, spec } = server;
  const { requests } = spec.target;
  const visible = CAN_SEE_SOCKETS ? pids : [];
  const { port } = addressOf(origin);
  if (visible.length > 0 && foreignListeners(port, [...pids, ...managerPids]) > 0) {
    throw new ContractError(`another process listens on its port ${port}`);
  }
  // A plain command may start helpers that serve nothing.
  const wanted = isPlain(spec.topology) ? Math.min(1, visible.length) : visible.length;
  const usual = TIMES_SENT * requests.length;
  const most = Math.max(usual, TRIES_PER_WORKER * visible.length);
  const found = new Map<Exchange, { body: Buffer; check: AnswerCheck }>();
  const seen = new Set<number>();
  const beganMs = performance.now();
  let startNs: number | null = null;
  for (let sent = 0; sent < most; sent++) {
    // Once is enough for answers that an earlier launch found right, to the byte.
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
    exchanges: requests.map((exchange) => verifiedExchange(exchange, found.get(exchange)?.body)),
    judged: [...found].flatMap(([exchange, { check }]) => {
      return check === null ? [] : { request: requestName(exchange), figures: check.figures };
    }),
  };
}

/** @throws ContractError for an answer that is wrong or differs from the one before. */
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
  // A second answer shows whether it changes or is always wrong.
  using client = clientOf(origin, signal);
  const again = before === null && isFixed ? await client.send(exchange).catch(noAnswer) : null;
  const other = before ?? (again?.status === exchange.expect.status ? again.body : null);
  const isChanging = isFixed && other !== null && !other.equals(answer.body);
  const name = spec.target.requests.length === 1 ? '' : `${requestName(exchange)}: `;
  throw new ContractError(
    isChanging
      ? `${name}its answers to the same request differ, so they could not be compared under load: ` +
          `${excerpt(other)}, and then ${excerpt(answer.body)}`
      : `${name}${problem}`,
  );
}

function noAnswer(error: unknown): null {
  if (error instanceof NoAnswer) return null;
  throw error;
}

/** The process that holds the server's end of a connection. @throws ContractError if none of these does. */
function ownerOf({ ports }: Answer, pids: readonly number[]): number {
  const pid = ports && serverOf(ports, pids);
  if (pid === null) throw new ContractError('the answer came from a process that is not its own');
  return pid;
}

/** The last line that a check command prints. */
const figuresSchema = z.record(z.string(), z.number());

/** The figures of answers that were found right, by a hash of command and answer. */
const rightAnswers = new Map<string, z.infer<typeof figuresSchema>>();

const CHECK_MS = 30_000;

type AnswerCheck = Awaited<ReturnType<typeof checkAnswer>>;

/**
 * Runs the check command of an exchange in the target's folder, with a file of the answer as its last argument. It
 * prints figures as a line of JSON, or a reason and fails. The same answer is checked once. Null without a command.
 * @throws ContractError for a wrong answer; when the launch is aborted.
 */
async function checkAnswer(
  answer: Buffer,
  exchange: Exchange,
  target: LocalTarget,
  context: LaunchContext,
) {
  const { body } = exchange.expect;
  if (body.kind !== 'check') return null;
  const command = JSON.stringify([target.directory, ...body.command]);
  const hash = createHash('sha256').update(command).update(answer).digest('hex');
  const before = rightAnswers.get(hash);
  if (before !== undefined) return { figures: before, isKnown: true };
  const file = join(context.folder, `answer-${hash}`);
  writeFileSync(file, answer);
  const log = `${file}.log`;
  const declared = declaredCommand([...body.command, file], target);
  const problem = await runLogged({ ...declared, log }, context, CHECK_MS);
  const printed = lastLines(log, 1)[0] ?? '';
  const wrong = (text: string) => new ContractError(`${requestName(exchange)}: its check ${text}`);
  if (problem !== null) throw wrong(`${problem}: ${printed || 'it printed nothing'}`);
  const figures = parseJson(printed, figuresSchema);
  if (figures === null) throw wrong(`printed "${printed}", which is not a JSON object of numbers`);
  rightAnswers.set(hash, figures);
  return { figures, isKnown: false };
}
