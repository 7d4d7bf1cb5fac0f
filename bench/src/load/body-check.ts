/** Compares a body with the right one while it comes, piece by piece: byte for byte, wherever it is cut. */
export class BodyCheck {
  #bytes = 0;
  #isRight = true;

  /** Takes the next piece of a body that should be this, or as long; null where any will do. */
  add(piece: Buffer, right: Buffer | number | null): void {
    if (right === null) return;
    const end = this.#bytes + piece.length;
    this.#isRight &&=
      typeof right === 'number' ||
      (end <= right.length && piece.compare(right, this.#bytes, end) === 0);
    this.#bytes = end;
  }

  /** Whether the body, which has ended, was this as a whole; the next one begins. */
  end(right: Buffer | number | null): boolean {
    const length = typeof right === 'number' ? right : right?.length;
    const isRight = right === null || (this.#isRight && this.#bytes === length);
    this.#bytes = 0;
    this.#isRight = true;
    return isRight;
  }
}
