import type { IncomingMessage } from 'node:http';
import { isPlain } from '../plan/topology.ts';
import { CAN_SEE_SOCKETS, foreignListeners, serverOf } from '../system/sockets.ts';
import { type Expectation, isExpected } from '../targets/targets.ts';
import { asker } from './ask.ts';
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

/**
 * Checks that a server keeps its declared contract, that the answers come from the processes that
 * were started for it, that every one of them has answered, and that nobody else listens there.
 */
export async function verify(server: RunningServer, signal: AbortSignal): Promise<Verification> {
  const { spec, origin, pids } = server;
  const { target, topology } = spec;
  const { length: processes } = pids;
  if (CAN_SEE_SOCKETS && processes > 0) {
    const port = Number(new URL(origin).port);
    if (foreignListeners(port, [...pids, ...server.managerPids]) > 0) {
      return { state: 'failed', message: `another process listens on its port ${port}` };
    }
  }
  // Of a command's processes one may serve; of somebody else's server nothing may be known.
  const wanted = isPlain(topology) ? Math.min(1, processes) : processes;
  const seen = new Set<number>();
  const tries = CAN_SEE_SOCKETS ? TRIES_PER_WORKER * Math.max(1, wanted) : 1;
  for (let attempt = 0; attempt < tries; attempt++) {
    using asking = asker(origin, target, signal);
    const answer = await asking.ask();
    if (answer.state === 'failed') return { state: 'failed', message: answer.message };
    const problem = problemOf({ ...answer, body: answer.body.toString() }, target.expect);
    if (problem !== null) return { state: 'failed', message: problem };
    if (!CAN_SEE_SOCKETS || processes === 0) return { state: 'verified', processesSeen: null };
    const pid = answer.ports && serverOf(answer.ports, pids);
    if (pid === null) {
      return { state: 'failed', message: 'the answer came from a process that is not its own' };
    }
    seen.add(pid);
    if (seen.size >= wanted) return { state: 'verified', processesSeen: seen.size };
  }
  const message = `only ${seen.size} of its ${wanted} processes answered in ${tries} connections`;
  return { state: 'failed', message };
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
  if (isExpected(expected, answer.body)) return null;
  return `it answered with the body ${excerpt(answer.body)} instead of ${excerpt(expected.body)}`;
}

const EXCERPT = 60;

function excerpt(body: string): string {
  return JSON.stringify(body.length > EXCERPT ? `${body.slice(0, EXCERPT)}…` : body);
}
