import { type Readings, readingsBy } from './readings.ts';
import { answerSchema } from './relay.ts';

/** Readings that a generator asks of the harness on the machine of the servers, through whoever started it. */
export class AskedReadings {
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;
  readonly readings: Readings;

  constructor(send: (message: unknown) => void) {
    this.readings = readingsBy((request) => {
      const number = ++this.#asked;
      const waiting = Promise.withResolvers<unknown>();
      this.#waiting.set(number, waiting);
      send({ kind: 'read', number, request });
      return waiting.promise;
    });
  }

  /** Takes an answer; returns whether the message was one. */
  take(message: unknown): boolean {
    const answer = answerSchema.safeParse(message);
    if (!answer.success) return false;
    const { number, outcome } = answer.data;
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if ('error' in outcome) waiting?.reject(new Error(outcome.error));
    else waiting?.resolve(outcome.value);
    return true;
  }
}
