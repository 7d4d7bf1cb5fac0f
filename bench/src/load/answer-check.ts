import { type ExpectedExchange, expectedBody } from '../targets/exchange.ts';
import type { Answers } from './measurement.ts';

export type AnswerKind = keyof Answers;

/** What an answer is compared with. */
export interface ExpectedAnswer {
  status: number;
  /** Its bytes, or how many there are to be; null where any will do. */
  body: Buffer | number | null;
}

/** What is expected as the answer to this request. */
export function expectedAnswer({ answer }: Pick<ExpectedExchange, 'answer'>): ExpectedAnswer {
  return { status: answer.status, body: expectedBody(answer) };
}

/** Compares the body of an answer with the right one while it arrives: byte for byte, however it is split. */
export class AnswerCheck {
  #bytes = 0;
  #isRight = true;

  /** Takes the next chunk of the body. */
  add(chunk: Buffer, { body }: ExpectedAnswer): void {
    const end = this.#bytes + chunk.length;
    if (body instanceof Buffer) {
      this.#isRight &&= end <= body.length && chunk.compare(body, this.#bytes, end) === 0;
    }
    this.#bytes = end;
  }

  /** What an answer with this status was, whose body is complete; the next one begins. */
  end(status: number, expected: ExpectedAnswer): AnswerKind {
    const { body } = expected;
    const length = body instanceof Buffer ? body.length : body;
    const isRight = this.#isRight && (length === null || this.#bytes === length);
    this.reset();
    if (status !== expected.status) return 'wrongStatus';
    return isRight ? 'ok' : 'wrongBody';
  }

  /** Forgets a body that was cut off. */
  reset(): void {
    this.#bytes = 0;
    this.#isRight = true;
  }
}
