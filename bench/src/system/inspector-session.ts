/** A conversation with the inspector of a Node process on this machine, which is woken for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isAlive, signal } from './processes.ts';
import { portsOf } from './sockets.ts';

const WAKE_MS = 10_000;
const POLL_MS = 20;
const ANSWER_MS = 30_000;

const listSchema = z.array(z.looseObject({ webSocketDebuggerUrl: z.string() })).min(1);

/** Where the inspector of a process is asked; it is woken by SIGUSR1, as Node has it, where it does not listen yet. */
async function inspectorOf(pid: number, own: readonly number[]): Promise<string> {
  const deadline = performance.now() + WAKE_MS;
  for (let isWoken = false; performance.now() < deadline; await sleep(POLL_MS)) {
    if (!isAlive(pid)) throw new Error(`process ${pid} is gone`);
    for (const port of portsOf([pid]).filter((each) => !own.includes(each))) {
      const url = await addressAt(port);
      if (url !== null) return url;
    }
    if (!isWoken) signal(pid, 'SIGUSR1');
    isWoken = true;
  }
  throw new Error(`process ${pid} has no inspector: is it Node, and does it leave SIGUSR1 alone?`);
}

async function addressAt(port: number): Promise<string | null> {
  try {
    const abort = AbortSignal.timeout(1000);
    const response = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: abort });
    const [target] = listSchema.parse(await response.json());
    return target?.webSocketDebuggerUrl ?? null;
  } catch {
    // Somebody else listens there, or the inspector does not serve yet: it is asked again.
    return null;
  }
}

const messageSchema = z.union([
  z.object({ id: z.int(), error: z.object({ message: z.string() }) }),
  z.object({ id: z.int(), result: z.unknown() }),
]);

/** What an inspector answers; null for what it tells unasked, which is of no interest. */
export function messageIn(text: string): z.infer<typeof messageSchema> | null {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** An answer that is a text, to a piece of code that was run there. */
export const textAnswerSchema = z.object({ result: z.looseObject({ value: z.string() }) });

/** A conversation with an inspector. */
export class Session {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#hear(String(data)));
    socket.addEventListener('close', () => this.#giveUp(new Error('the inspector hung up')));
  }

  /**
   * Begins one with a process that listens on these ports itself; its inspector stays awake.
   * @throws when the process is gone, or has no inspector.
   */
  static async open(pid: number, own: readonly number[]): Promise<Session> {
    const url = await inspectorOf(pid, own);
    const socket = new WebSocket(url);
    const session = new Session(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)), {
        once: true,
      });
    });
    return session;
  }

  /** @throws when the inspector hangs up, refuses or does not answer. */
  async ask(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    if (this.#socket.readyState !== WebSocket.OPEN) throw new Error('the inspector hung up');
    const id = ++this.#asked;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    const late = setTimeout(() => {
      answer.reject(new Error(`the inspector did not answer ${method}`));
    }, ANSWER_MS);
    try {
      this.#socket.send(JSON.stringify({ id, method, params }));
      return await answer.promise;
    } finally {
      clearTimeout(late);
      this.#waiting.delete(id);
    }
  }

  close(): void {
    this.#socket.close();
  }

  #hear(text: string): void {
    const message = messageIn(text);
    if (message === null) return;
    const waiting = this.#waiting.get(message.id);
    if ('error' in message) {
      waiting?.reject(new Error(`the inspector: ${message.error.message}`));
    } else waiting?.resolve(message.result);
  }

  #giveUp(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}
