import { Socket } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Answer, Client } from '../../src/load/autocannon.ts';
import { Ledger } from '../../src/load/ledger.ts';
import type { Answers } from '../../src/load/measurement.ts';

const PIPELINING = 4;

let told: (keyof Answers)[];
let lostAges: number[];
let atNs: number;
let ledger: Ledger;

beforeEach(() => {
  told = [];
  lostAges = [];
  atNs = 1e15;
  const onAnswer = (_answer: Answer, kind: keyof Answers) => told.push(kind);
  const onLost = (ageNs: number) => lostAges.push(ageNs);
  ledger = new Ledger([200], { onAnswer, onLost }, () => atNs);
});

/** A client that tells what autocannon's would, in the same order, about what a server does. */
class FakeClient implements Client {
  readonly conn = new Socket();
  sends = 0;
  readonly #events = ledger.follow(this);

  constructor() {
    this.#room();
  }

  send(): void {
    this.sends++;
  }

  answer(parts: Partial<Answer> = {}, times = 1): void {
    const right = { place: 0, status: 200, hasRightBody: true, bytes: 150, latencyMs: 2.5 };
    for (let time = 0; time < times; time++) {
      this.#events.onAnswer({ ...right, ...parts });
      this.#events.onRoom();
    }
  }

  /** As many answers as that, of which none makes room for another request. */
  unasked(answers: number): void {
    const right = { place: 0, status: 200, hasRightBody: true, bytes: 150, latencyMs: 2.5 };
    for (let answer = 0; answer < answers; answer++) this.#events.onAnswer(right);
  }

  /** The server closed its connection, and there is a new one. */
  reconnect(): void {
    this.#events.onReconnect();
    this.#room();
  }

  /** Nothing came for the length of the time-out: autocannon reconnects, then tells. */
  timeOut(): void {
    this.reconnect();
    for (let lost = 0; lost < PIPELINING; lost++) this.#events.onTimeout();
  }

  #room(): void {
    for (let request = 0; request < PIPELINING; request++) this.#events.onRoom();
  }
}

/** Everything that was counted, what is in flight included; nothing else, and the sum is right. */
function expectCounts(counts: Partial<Ledger['counts'] & { inFlight: number }>): void {
  const { sent, ...rest } = { ...ledger.counts, inFlight: ledger.inFlight };
  const none = { ok: 0, wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 };
  expect({ sent, ...rest }).toEqual({ ...none, inFlight: PIPELINING, ...counts });
  expect(Object.values(rest).reduce((sum, count) => sum + count, 0)).toBe(sent);
}

describe('what becomes of a request is counted', () => {
  test.each<[string, (client: FakeClient) => void, Parameters<typeof expectCounts>[0]]>([
    ['while it is under way', () => {}, { sent: 4 }],
    ['where it is answered', (client) => client.answer(), { sent: 5, ok: 1 }],
    [
      'where the status is another one, whatever the body',
      (client) => {
        client.answer({ status: 503 });
        client.answer({ status: 404, hasRightBody: false });
      },
      { sent: 6, wrongStatus: 2 },
    ],
    [
      'where the body is another one',
      (client) => {
        client.answer();
        client.answer({ hasRightBody: false });
        client.answer();
      },
      { sent: 7, ok: 2, wrongBody: 1 },
    ],
    [
      'where it goes with its connection',
      (client) => {
        client.answer();
        client.reconnect();
      },
      { sent: 9, ok: 1, disconnected: 4 },
    ],
    [
      'where connections go again and again, once for each',
      (client) => {
        client.reconnect();
        client.reconnect();
        client.answer();
      },
      { sent: 13, ok: 1, disconnected: 8 },
    ],
    [
      'where it is given up, and where the next ones are',
      (client) => {
        client.answer();
        client.timeOut();
        client.timeOut();
      },
      { sent: 13, ok: 1, timedOut: 8 },
    ],
    [
      'where a time-out comes between two lost connections',
      (client) => {
        client.reconnect();
        client.timeOut();
        client.reconnect();
      },
      { sent: 16, disconnected: 8, timedOut: 4 },
    ],
  ])('%s', (_when, act, counts) => {
    act(new FakeClient());
    expectCounts(counts);
  });

  test('for each client by itself', () => {
    const [one, other] = [new FakeClient(), new FakeClient()];
    one.reconnect();
    other.timeOut();
    one.answer({ status: 500 });
    expectCounts({ sent: 17, wrongStatus: 1, disconnected: 4, timedOut: 4, inFlight: 8 });
    expect([one.sends, other.sends]).toEqual([9, 8]);
  });

  test('so that the sum is too high with answers that nobody asked for', () => {
    const client = new FakeClient();
    client.unasked(PIPELINING + 2);
    expect(ledger.counts).toMatchObject({ sent: PIPELINING, ok: PIPELINING + 2 });
    expect(told).toHaveLength(PIPELINING + 2);
    expect(ledger.agesInFlight(atNs)).toEqual([]);
    // The next request is pending again, whatever came before it.
    client.answer();
    expect(ledger.inFlight).toBe(1);
  });

  test('on the connections where it is in flight, not worked out from the rest', () => {
    new FakeClient();
    ledger.counts.ok += 3;
    expect(ledger.inFlight).toBe(PIPELINING);
  });
});

test('each answer is told with what it was', () => {
  const client = new FakeClient();
  client.answer();
  client.answer({ hasRightBody: false });
  client.answer({ status: 500 });
  expect(told).toEqual(['ok', 'wrongBody', 'wrongStatus']);
});

describe('what is held back', () => {
  test('is sent once it is released, and waits from then on', () => {
    const client = new FakeClient();
    ledger.hold();
    client.answer({}, PIPELINING);
    expectCounts({ sent: 4, ok: 4, inFlight: 0 });
    expect(client.sends).toBe(4);
    atNs += 5e9;
    ledger.release();
    expectCounts({ sent: 8, ok: 4 });
    expect(client.sends).toBe(8);
    expect(ledger.agesInFlight(atNs + 3)).toEqual([3, 3, 3, 3]);
    client.answer();
    expectCounts({ sent: 9, ok: 5 });
  });

  test('is never sent where the connection is lost before', () => {
    const client = new FakeClient();
    ledger.hold();
    client.answer();
    client.reconnect();
    expectCounts({ sent: 4, ok: 1, disconnected: 3, inFlight: 0 });
    ledger.release();
    expectCounts({ sent: 8, ok: 1, disconnected: 3 });
  });

  test('may be that of all clients but one, from their first request on', () => {
    ledger.hold();
    const [one, other] = [new FakeClient(), new FakeClient()];
    ledger.releaseOne(other);
    other.answer();
    expect([one.sends, other.sends]).toEqual([0, 5]);
    ledger.hold();
    other.answer();
    ledger.release();
    expect([one.sends, other.sends]).toEqual([4, 6]);
  });

  test('begins where a round is complete, if that is asked for', async () => {
    const client = new FakeClient();
    const whole = ledger.holdAfterRound(3);
    client.answer({}, 4);
    await whole;
    expect(client.sends).toBe(6);
    ledger.release();
    client.answer({}, 4);
    expect(client.sends).toBe(12);
  });
});

describe('the age of a request', () => {
  test('is how long it has been waiting, and goes with the oldest when there is an answer', () => {
    const client = new FakeClient();
    atNs += 10;
    new FakeClient();
    client.answer();
    atNs += 10;
    client.answer({ status: 500 });
    expect(ledger.agesInFlight(atNs + 5)).toEqual([25, 25, 15, 5, 15, 15, 15, 15]);
    expect(lostAges).toEqual([]);
  });

  test('is told once when the connection is lost or timed out, of that client alone', () => {
    const [client] = [new FakeClient(), new FakeClient()];
    atNs += 7;
    client.answer();
    atNs += 100;
    client.reconnect();
    expect(lostAges).toEqual([107, 107, 107, 100]);
    atNs += 50;
    client.timeOut();
    expect(lostAges.slice(PIPELINING)).toEqual([50, 50, 50, 50]);
    expect(ledger.agesInFlight(atNs + 1)).toEqual([1, 1, 1, 1, 158, 158, 158, 158]);
  });
});

describe('waiting', () => {
  /** Whether this has resolved by the time all that is due has run. */
  async function isDone(promise: Promise<void>): Promise<boolean> {
    let done = false;
    promise.then(() => {
      done = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    return done;
  }

  test('for the first answer of so many clients ends with it, right or wrong', async () => {
    const [one, other] = [new FakeClient(), new FakeClient()];
    const all = () => ledger.answeredClients >= 2;
    const waiting = ledger.until(all);
    one.answer({}, 2);
    other.timeOut();
    expect(await isDone(waiting)).toBe(false);
    other.answer({ status: 500 });
    expect(await isDone(waiting)).toBe(true);
    expect(await isDone(ledger.until(all))).toBe(true);
  });

  test.each([
    ['is answered', (client: FakeClient) => client.answer({}, PIPELINING)],
    ['goes with its connection', (client: FakeClient) => client.reconnect()],
  ])('until nothing is in flight ends when the last of it %s', async (_how, act) => {
    const [one, other] = [new FakeClient(), new FakeClient()];
    ledger.hold();
    const idle = ledger.until(() => ledger.inFlight === 0);
    one.answer({}, PIPELINING);
    expect(await isDone(idle)).toBe(false);
    act(other);
    expect(await isDone(idle)).toBe(true);
  });
});
