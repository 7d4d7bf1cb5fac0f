/** Compares a body with the right one while it comes, piece by piece: byte for byte, wherever it is cut. */
export class BodyCheck {
  #bytes = 0;
  #isRight = true;

  /** Takes the next piece of a body that should be this; null where any will do. */
  add(piece: Buffer, right: Buffer | null): void {
    if (right === null) return;
    const end = this.#bytes + piece.length;
    this.#isRight &&= end <= right.length && piece.compare(right, this.#bytes, end) === 0;
    this.#bytes = end;
  }

  /** Whether the body, which has ended, was this as a whole; the next one begins. */
  end(right: Buffer | null): boolean {
    const isRight = right === null || (this.#isRight && this.#bytes === right.length);
    this.#bytes = 0;
    this.#isRight = true;
    return isRight;
  }
}
