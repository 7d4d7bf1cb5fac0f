import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, Ledger } from '../../src/load/ledger.ts';

const PIPELINING = 4;

/** A client that tells what autocannon's would, in the same order, about what a server does. */
class FakeClient extends EventEmitter {
  conn = {};
  clears = 0;
  readonly pipelinedRequests = {
    clear: () => {
      this.clears++;
    },
  };

  /** A new socket, with all its requests. */
  connect(): void {
    this.conn = {};
    for (let sent = 0; sent < PIPELINING; sent++) this.emit('request');
  }

  /** An answer; autocannon sends the next request before it says that the body is a wrong one. */
  answer({ status = 200, body = 'right' }: { status?: number; body?: 'right' | 'wrong' } = {}) {
    this.emit('response', status, 150, 2.5);
    this.emit('request');
    if (body === 'wrong') this.emit('mismatch', 'another body');
  }

  /** Nothing came for the length of the time-out: autocannon reconnects, then tells. */
  timeOut(): void {
    this.connect();
    for (let lost = 0; lost < PIPELINING; lost++) this.emit('timeout');
  }
}

let answers: Answer[];
let lostAges: number[];
let atNs: number;
let ledger: Ledger;

beforeEach(() => {
  answers = [];
  lostAges = [];
  atNs = 1e15;
  ledger = new Ledger(
    [200],
    (answer) => answers.push(answer),
    (ageNs) => lostAges.push(ageNs),
    () => atNs,
  );
});

function connected(): FakeClient {
  const client = new FakeClient();
  ledger.follow(client);
  client.connect();
  return client;
}

/** Everything that was counted, what is in flight included; nothing else, and the sum is right. */
function expectCounts(counts: Partial<Ledger['counts'] & { inFlight: number }>): void {
  ledger.settle();
  const { sent, ...rest } = { ...ledger.counts, inFlight: ledger.inFlight };
  const none = { ok: 0, wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 };
  expect({ sent, ...rest }).toEqual({ ...none, inFlight: PIPELINING, ...counts });
  expect(Object.values(rest).reduce((sum, count) => sum + count, 0)).toBe(sent);
}

test('requests without answer are in flight', () => {
  connected();
  connected();
  expectCounts({ sent: 8, inFlight: 8 });
});

test('a right answer is ok, and told with its bytes and latency', () => {
  connected().answer();
  expectCounts({ sent: 5, ok: 1 });
  expect(answers).toEqual([{ bytes: 150, latencyMs: 2.5, status: 'as declared' }]);
});

test('a wrong status is counted as such, whatever the body', () => {
  const client = connected();
  client.answer({ status: 503 });
  client.answer({ status: 404, body: 'wrong' });
  expectCounts({ sent: 6, wrongStatus: 2 });
  expect(answers.map(({ status }) => status)).toEqual(['wrong', 'wrong']);
});

test('a wrong body takes its answer back from the right ones', () => {
  const client = connected();
  client.answer();
  client.answer({ body: 'wrong' });
  client.answer();
  expectCounts({ sent: 7, ok: 2, wrongBody: 1 });
  expect(answers.map(({ status }) => status)).toEqual(['as declared', 'wrong', 'as declared']);
});

test('an answer that nobody asked for is counted and told, so that the sum is too high', () => {
  const client = connected();
  for (let extra = 0; extra < PIPELINING + 2; extra++) client.emit('response', 200, 150, 2.5);
  ledger.settle();
  expect(ledger.counts).toMatchObject({ sent: PIPELINING, ok: PIPELINING + 2 });
  expect(ledger.inFlight).toBe(0);
  expect(answers).toHaveLength(PIPELINING + 2);
  // The next request is pending again, whatever came before it.
  client.emit('request');
  expect(ledger.inFlight).toBe(1);
});

describe('what is held back', () => {
  test('is sent once it is released, and waits from then on', () => {
    const client = connected();
    ledger.hold();
    for (let answer = 0; answer < PIPELINING; answer++) client.answer();
    expectCounts({ sent: 4, ok: 4, inFlight: 0 });
    atNs += 5e9;
    ledger.release();
    expectCounts({ sent: 8, ok: 4, inFlight: 4 });
    atNs += 1e6;
    // By autocannon's own clock it waited for longer: since it was written.
    for (let answer = 0; answer < PIPELINING + 1; answer++) client.answer();
    expectCounts({ sent: 13, ok: 9, inFlight: 4 });
    expect(answers.slice(PIPELINING).map(({ latencyMs }) => latencyMs)).toEqual([1, 1, 1, 1, 2.5]);
    expect(ledger.agesInFlight(atNs)).toEqual([0, 0, 0, 0]);
  });

  test('is never sent where the connection is lost before', () => {
    const client = connected();
    ledger.hold();
    client.answer();
    client.connect();
    expectCounts({ sent: 4, ok: 1, disconnected: 3, inFlight: 0 });
    ledger.release();
    expectCounts({ sent: 8, ok: 1, disconnected: 3, inFlight: 4 });
  });

  test('leaves the server idle once all else is answered', async () => {
    const [one, other] = [connected(), connected()];
    ledger.hold();
    let isIdle = false;
    const idle = ledger.untilIdle().then(() => {
      isIdle = true;
    });
    for (let answer = 0; answer < PIPELINING; answer++) one.answer();
    await Promise.resolve();
    expect(isIdle).toBe(false);
    for (let answer = 0; answer < PIPELINING; answer++) other.answer();
    await idle;
    expectCounts({ sent: 8, ok: 8, inFlight: 0 });
  });
});

test('what is in flight is counted on the connections, not worked out from the rest', () => {
  connected();
  ledger.counts.ok += 3;
  expect(ledger.inFlight).toBe(PIPELINING);
});

test('each client has an account of its own', () => {
  const [one, other] = [connected(), connected()];
  one.answer({ status: 500 });
  other.answer();
  one.emit('mismatch', 'the body of the wrong status');
  expectCounts({ sent: 10, ok: 1, wrongStatus: 1, inFlight: 8 });
});

describe('a connection that the server closes', () => {
  test('takes its requests with it', () => {
    const client = connected();
    client.answer();
    client.connect();
    expectCounts({ sent: 9, ok: 1, disconnected: 4 });
  });

  test('leaves no stale request behind in the queue of autocannon', () => {
    const client = connected();
    const before = client.clears;
    client.answer();
    expect(client.clears).toBe(before);
    client.connect();
    expect(client.clears).toBe(before + 1);
  });

  test('again and again, as with refused connections, loses each lot once', () => {
    const client = connected();
    client.connect();
    client.connect();
    expectCounts({ sent: 12, disconnected: 8 });
    client.answer();
    expectCounts({ sent: 13, ok: 1, disconnected: 8 });
  });
});

describe('a time-out', () => {
  test('claims the requests that went with its connection, once', () => {
    const client = connected();
    client.answer();
    client.timeOut();
    expectCounts({ sent: 9, ok: 1, timedOut: 4 });
  });

  test('after another claims the new ones only', () => {
    const client = connected();
    client.timeOut();
    client.timeOut();
    expectCounts({ sent: 12, timedOut: 8 });
  });

  test('after a disconnect leaves what was lost to the disconnect', () => {
    const client = connected();
    client.connect();
    client.timeOut();
    expectCounts({ sent: 12, disconnected: 4, timedOut: 4 });
  });

  test('before a disconnect leaves what is lost to the disconnect', () => {
    const client = connected();
    client.timeOut();
    client.connect();
    expectCounts({ sent: 12, disconnected: 4, timedOut: 4 });
  });

  test('of one client takes nothing from another', () => {
    const [one, other] = [connected(), connected()];
    one.connect();
    other.timeOut();
    one.answer();
    expectCounts({ sent: 17, ok: 1, disconnected: 4, timedOut: 4, inFlight: 8 });
  });
});

describe('the age of a request', () => {
  test('is how long it has been waiting, on every connection', () => {
    connected();
    atNs += 30;
    connected();
    expect(ledger.agesInFlight(atNs + 5)).toEqual([35, 35, 35, 35, 5, 5, 5, 5]);
    expect(lostAges).toEqual([]);
  });

  test('goes with the oldest when there is an answer, right or wrong', () => {
    const client = connected();
    atNs += 10;
    client.answer();
    atNs += 10;
    client.answer({ status: 500 });
    atNs += 10;
    client.answer({ body: 'wrong' });
    expect(ledger.agesInFlight(atNs)).toEqual([30, 20, 10, 0]);
    for (let more = 0; more < 3 * PIPELINING; more++) {
      atNs += 1;
      client.answer();
    }
    expect(ledger.agesInFlight(atNs)).toEqual([3, 2, 1, 0]);
  });

  test('is told when the request is lost with its connection', () => {
    const client = connected();
    atNs += 7;
    client.answer();
    atNs += 100;
    client.connect();
    expect(lostAges).toEqual([107, 107, 107, 100]);
    expect(lostAges).toHaveLength(ledger.counts.disconnected);
    expect(ledger.agesInFlight(atNs + 1)).toEqual([1, 1, 1, 1]);
  });

  test('is told once, whether the connection was closed or timed out', () => {
    const client = connected();
    atNs += 50;
    client.timeOut();
    expect(lostAges).toEqual([50, 50, 50, 50]);
    atNs += 60;
    client.connect();
    expect(lostAges.slice(PIPELINING)).toEqual([60, 60, 60, 60]);
    expect(ledger.counts).toMatchObject({ timedOut: PIPELINING, disconnected: PIPELINING });
  });

  test('of one client is not lost with another', () => {
    const [one] = [connected(), connected()];
    atNs += 3;
    one.connect();
    expect(lostAges).toEqual([3, 3, 3, 3]);
    expect(ledger.agesInFlight(atNs)).toEqual([0, 0, 0, 0, 3, 3, 3, 3]);
  });

  test('is no more than there are requests, after answers that nobody asked for', () => {
    const client = connected();
    for (let extra = 0; extra < PIPELINING + 2; extra++) client.emit('response', 200, 150, 2.5);
    expect(ledger.agesInFlight(atNs)).toEqual([]);
    atNs += 4;
    client.emit('request');
    expect(ledger.agesInFlight(atNs + 1)).toEqual([1]);
  });
});

describe('waiting for answers', () => {
  /** Whether this has resolved by the time all that is due has run. */
  async function isDone(promise: Promise<void>): Promise<boolean> {
    let done = false;
    promise.then(() => {
      done = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    return done;
  }

  test('ends with the first answer of as many clients, right or wrong', async () => {
    const [one, other] = [connected(), connected()];
    const waiting = ledger.untilAnswered(2);
    one.answer();
    one.answer();
    expect(ledger.answeredClients).toBe(1);
    expect(await isDone(waiting)).toBe(false);
    other.answer({ status: 500 });
    expect(await isDone(waiting)).toBe(true);
    expect(ledger.answeredClients).toBe(2);
  });

  test('ends at once where they have answered already', async () => {
    connected().answer();
    expect(await isDone(ledger.untilAnswered(1))).toBe(true);
  });

  test('is not ended by time-outs and disconnects', async () => {
    const client = connected();
    const waiting = ledger.untilAnswered(1);
    client.connect();
    client.timeOut();
    expect(await isDone(waiting)).toBe(false);
  });
});
