import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf } from '../base/errors.ts';
import { CAN_SEE_SOCKETS, foreignListeners, serverOf } from '../system/sockets.ts';
import type { Expectation } from '../targets/targets.ts';
import type { RunningServer } from './server.ts';

/** What was found out about a running server before any load. */
export type Verification =
  | {
      state: 'verified';
      /** How many of its processes have answered, or null where the system can't tell. */
      processesSeen: number | null;
    }
  | { state: 'failed'; message: string };

/** Connections tried for every worker until each has answered. */
const TRIES_PER_WORKER = 40;
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Checks that a server keeps its declared contract, that the answers come from the processes that
 * were started for it, that every one of them has answered, and that nobody else listens there.
 */
export async function verify(server: RunningServer, signal: AbortSignal): Promise<Verification> {
  const { port, target } = server.spec;
  const own = [...server.pids, ...server.managerPids];
  if (CAN_SEE_SOCKETS && foreignListeners(port, own) > 0) {
    return { state: 'failed', message: `another process listens on its port ${port}` };
  }
  const seen = new Set<number>();
  const tries = CAN_SEE_SOCKETS ? TRIES_PER_WORKER * server.pids.length : 1;
  for (let attempt = 0; attempt < tries && seen.size < server.pids.length; attempt++) {
    const answer = await ask(server, signal);
    if (answer.state === 'failed') return answer;
    const problem = problemOf(answer, target.expect);
    if (problem !== null) return { state: 'failed', message: problem };
    if (!CAN_SEE_SOCKETS) return { state: 'verified', processesSeen: null };
    if (answer.pid === null) {
      return { state: 'failed', message: 'the answer came from a process that is not its own' };
    }
    seen.add(answer.pid);
  }
  if (seen.size < server.pids.length) {
    const message = `only ${seen.size} of its ${server.pids.length} processes answered in ${tries} connections`;
    return { state: 'failed', message };
  }
  return { state: 'verified', processesSeen: seen.size };
}

/** How this answer differs from the declared one, or null when it does not. */
export function problemOf(
  answer: { status: number; headers: IncomingMessage['headers']; body: string },
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
  if (answer.body === expected.body) return null;
  return `it answered with the body ${excerpt(answer.body)} instead of ${excerpt(expected.body)}`;
}

const EXCERPT = 60;

function excerpt(body: string): string {
  return JSON.stringify(body.length > EXCERPT ? `${body.slice(0, EXCERPT)}…` : body);
}

type Answer =
  | {
      state: 'answered';
      status: number;
      headers: IncomingMessage['headers'];
      body: string;
      pid: number | null;
    }
  | { state: 'failed'; message: string };

/** One request on a connection of its own, which stays open until its owner is known. */
async function ask(server: RunningServer, signal: AbortSignal): Promise<Answer> {
  const agent = new Agent({ keepAlive: true });
  const limit = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const { method, path } = server.spec.target.request;
      request(server.origin + path, { agent, method, signal: AbortSignal.any([signal, limit]) })
        .once('response', resolve)
        .once('error', reject)
        .end();
    });
    const { localPort: client, remotePort } = response.socket;
    const body = await text(response);
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
