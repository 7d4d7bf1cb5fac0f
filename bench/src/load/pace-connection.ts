/** The only file that knows undici. */
import { connect, type Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { bytesOf, type ExpectedExchange, rightBody } from '../targets/exchange.ts';
import { BodyCheck } from './body-check.ts';
import type { OpenOrder } from './protocol.ts';

/** Longer than any run: a connection without requests stays open unless the server says otherwise. */
const KEEP_ALIVE_MS = 86_400_000;

export type AnswerKind = 'ok' | 'wrongStatus' | 'wrongBody';

/** What a connection tells of its request, in this order. */
export interface ConnectionEvents {
  /** The request's head is about to be written, or the connection asked for that it needs. */
  onLeaving(): void;
  /** The whole response is there. */
  onAnswer(kind: AnswerKind): void;
  /** The connection was refused, closed or reset, or what came on it is no response. */
  onLost(error: Error): void;
}

/** A request as it is sent, and what is to come back. */
export interface PaceRequest {
  sent: Pick<ExpectedExchange['request'], 'method' | 'path' | 'headers'> & { body: Buffer | null };
  /** No body where any will do, and its length where that will. */
  answer: { status: number; body: Buffer | number | null };
}

/** An order's requests, ready to be sent. */
export function paceRequests({ requests }: Pick<OpenOrder, 'requests'>): PaceRequest[] {
  return requests.map(({ request: { body, ...head }, answer }) => ({
    sent: { ...head, body: body && bytesOf(body) },
    answer: { status: answer.status, body: rightBody(answer) },
  }));
}

/** One keep-alive connection: opened when a request needs it, one request at a time. */
export class PaceConnection implements Dispatcher.DispatchHandler {
  readonly #client: Client;
  readonly #check = new BodyCheck();
  /** The events of the request under way; null between two, and once the connection is dropped. */
  #events: ConnectionEvents | null = null;
  /** What that request is to be answered with. */
  #answer: PaceRequest['answer'] = { status: 0, body: null };
  #hasLeft = false;
  #isStatusRight = false;
  #socket: Socket | null = null;

  /** Tells of each socket that it opens. */
  constructor({ origin }: Pick<OpenOrder, 'origin'>, onSocket: (socket: Socket) => void) {
    this.#client = new Client(origin, {
      pipelining: 1,
      allowH2: false,
      // undici's timers are coarse; the pacer has its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: ({ hostname, port }, callback) => {
        this.#leave();
        this.#socket = open(hostname, port, callback);
        onSocket(this.#socket);
      },
    });
  }

  /** Sends the next request; the one before has to be over. */
  send({ sent, answer }: PaceRequest, events: ConnectionEvents): void {
    this.#events = events;
    this.#answer = answer;
    this.#hasLeft = false;
    this.#check.end(null);
    this.#client.dispatch(sent, this);
  }

  /** Gives up the request under way, which tells nothing any more, and the connection for good. */
  drop(): void {
    this.#events = null;
    void this.#client.destroy();
    // undici waits for a socket that is not connected yet.
    this.#socket?.destroy();
  }

  onRequestStart(): void {
    this.#leave();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#isStatusRight = status === this.#answer.status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#check.add(chunk, this.#answer.body);
  }

  onResponseEnd(): void {
    const kind = this.#check.end(this.#answer.body) ? 'ok' : 'wrongBody';
    this.#end()?.onAnswer(this.#isStatusRight ? kind : 'wrongStatus');
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#end()?.onLost(error);
  }

  #leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#events?.onLeaving();
  }

  #end(): ConnectionEvents | null {
    const events = this.#events;
    this.#events = null;
    return events;
  }
}

/** undici's own connector keeps its sockets to itself until they are connected. */
function open(host: string, port: string, callback: buildConnector.Callback): Socket {
  const socket = connect({ host, port: Number(port || 80), noDelay: true });
  const onError = (error: Error) => callback(error, null);
  socket.once('error', onError);
  socket.once('connect', () => {
    socket.off('error', onError);
    callback(null, socket);
  });
  return socket;
}
