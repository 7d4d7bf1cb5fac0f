import { bytesOf, type ExpectedExchange } from '../targets/exchange.ts';
import type { Answers } from './measurement.ts';

export type AnswerKind = keyof Answers;

/** What an answer is compared with: its body byte by byte, by its length, or (null) not at all. */
interface ExpectedAnswer {
  status: number;
  body: Buffer | number | null;
}

/** A request as it is sent, and what is expected as its answer. */
export type LoadRequest = ReturnType<typeof loadRequest>;

export function loadRequest({ request: { body, ...head }, answer }: ExpectedExchange) {
  const { status, length } = answer;
  const expected: ExpectedAnswer = { status, body: answer.body ? bytesOf(answer.body) : length };
  return { sent: { ...head, body: body && bytesOf(body) }, expected };
}

/** Compares the body of an answer byte for byte as its chunks arrive. */
export class AnswerCheck {
  #bytes = 0;
  #isRight = true;

  add(chunk: Buffer, { body }: ExpectedAnswer): void {
    const end = this.#bytes + chunk.length;
    if (body instanceof Buffer) {
      this.#isRight &&= end <= body.length && chunk.compare(body, this.#bytes, end) === 0;
    }
    this.#bytes = end;
  }

  /** Classifies the answer with this status, whose body is complete, and starts over. */
  end(status: number, expected: ExpectedAnswer): AnswerKind {
    const { body } = expected;
    const length = body instanceof Buffer ? body.length : body;
    const isRight = this.#isRight && (length === null || this.#bytes === length);
    this.reset();
    if (status !== expected.status) return 'wrongStatus';
    return isRight ? 'ok' : 'wrongBody';
  }

  /** Starts over, after a body that was cut off for example. */
  reset(): void {
    this.#bytes = 0;
    this.#isRight = true;
  }
}
