/** Talks to the inspector of a Node process on this machine, which is woken for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import { isAlive, signal } from './processes.ts';
import { portsOf } from './sockets.ts';

const WAKE_MS = 10_000;
const POLL_MS = 20;
const ANSWER_MS = 30_000;

const listSchema = z.array(z.looseObject({ webSocketDebuggerUrl: z.string() })).min(1);

/** The address of a process's inspector, which SIGUSR1 wakes, as Node has it, where it does not listen yet. */
async function inspectorOf(pid: number, own: readonly number[]): Promise<string> {
  const deadline = performance.now() + WAKE_MS;
  for (let isWoken = false; performance.now() < deadline; await sleep(POLL_MS)) {
    if (!isAlive(pid)) throw new Error(`process ${pid} is gone`);
    for (const port of portsOf([pid]).filter((each) => !own.includes(each))) {
      const url = `http://127.0.0.1:${port}/json/list`;
      // Somebody else may listen there, or the inspector does not serve yet: it is asked again.
      const list = await fetch(url, { signal: AbortSignal.timeout(1000) })
        .then((response) => response.json())
        .catch(() => null);
      const [target] = listSchema.safeParse(list).data ?? [];
      if (target !== undefined) return target.webSocketDebuggerUrl;
    }
    if (!isWoken) signal(pid, 'SIGUSR1');
    isWoken = true;
  }
  throw new Error(`process ${pid} has no inspector: is it Node, and does it leave SIGUSR1 alone?`);
}

/** An answer of an inspector; what is none is an event, which nobody waits for. */
export const messageSchema = z.union([
  z.object({ id: z.int(), error: z.object({ message: z.string() }) }),
  z.object({ id: z.int(), result: z.unknown() }),
]);

/** An open connection to an inspector. */
export type InspectorSession = Awaited<ReturnType<typeof openSession>>;

/**
 * Connects to the inspector of a process that listens on these ports itself; the inspector stays awake afterwards.
 * @throws when the process is gone, or has no inspector.
 */
export async function openSession(pid: number, own: readonly number[]) {
  const url = await inspectorOf(pid, own);
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<void>();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const hungUp = new Error('the inspector hung up');
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => opened.reject(new Error(`no inspector at ${url}`)));
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(hungUp);
  });
  socket.addEventListener('message', ({ data }) => {
    const message = parseJson(String(data), messageSchema);
    const answer = message && waiting.get(message.id);
    if (!message || !answer) return;
    if ('error' in message) answer.reject(new Error(`the inspector: ${message.error.message}`));
    else answer.resolve(message.result);
  });
  await opened.promise;
  let asked = 0;
  return {
    /** @throws when the inspector hangs up, refuses or does not answer. */
    ask: async (method: string, params: Record<string, unknown> = {}) => {
      if (socket.readyState !== WebSocket.OPEN) throw hungUp;
      const id = ++asked;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      const late = new Error(`the inspector did not answer ${method}`);
      const timer = setTimeout(() => answer.reject(late), ANSWER_MS);
      try {
        socket.send(JSON.stringify({ id, method, params }));
        return await answer.promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    close: () => socket.close(),
  };
}
