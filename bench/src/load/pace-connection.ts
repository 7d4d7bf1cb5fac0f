/** The only file that knows undici. */
import { connect, type Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { AnswerCheck, type AnswerKind, type LoadRequest } from './answer-check.ts';

/** Longer than any run: idle connections stay open unless the server closes them. */
const KEEP_ALIVE_MS = 86_400_000;

export interface ConnectionEvents {
  /** The request is about to be written, or a connection to be opened for it. */
  onLeaving(): void;
  onAnswer(kind: AnswerKind): void;
  /** The connection was refused, closed or reset, or the response is not HTTP. */
  onLost(error: Error): void;
}

/** A keep-alive connection, opened when it is needed, with one request at a time. */
export class PaceConnection implements Dispatcher.DispatchHandler {
  readonly #client: Client;
  readonly #check = new AnswerCheck();
  /** Null between two requests, and once the connection is dropped. */
  #events: ConnectionEvents | null = null;
  #expected: LoadRequest['expected'] = { status: 0, body: null };
  #status = 0;
  #hasLeft = false;
  #socket: Socket | null = null;

  constructor(origin: string, onSocket: (socket: Socket) => void) {
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

  /** Sends the next request, once the last one has ended. */
  send({ sent, expected }: LoadRequest, events: ConnectionEvents): void {
    this.#events = events;
    this.#expected = expected;
    this.#hasLeft = false;
    this.#check.reset();
    this.#client.dispatch(sent, this);
  }

  /** Closes the connection for good, and gives up the request in flight without an event. */
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
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#check.add(chunk, this.#expected);
  }

  onResponseEnd(): void {
    const kind = this.#check.end(this.#status, this.#expected);
    this.#end()?.onAnswer(kind);
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

/** Connects like undici, whose own connector does not expose the socket before it is connected. */
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
