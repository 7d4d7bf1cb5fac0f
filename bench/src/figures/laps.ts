import type { Piece } from '../load/measurement.ts';
import type { Slice } from '../record/record.ts';

/** Of fewer answers one piece says little. */
const FEWEST_ANSWERS = 100;

/**
 * What the pieces of a slice tell over those of another one, lap by lap of their deal: a burst of noise that
 * is shorter than a slice spoils some laps, and the others not. Null where that can't be said, since
 * either was not dealt so, has too few answers in a piece, or requests that differ in what they cost.
 */
export function lapRatios(
  slice: Slice,
  other: Slice,
  inPiece: (piece: Piece) => number,
): number[] | null {
  const [own, others] = [slice.measurement.pieces, other.measurement.pieces];
  if (own.length !== others.length || !isTelling(slice) || !isTelling(other)) return null;
  return own.flatMap((piece, lap) => {
    const beside = others[lap];
    return beside ? [inPiece(piece) / inPiece(beside)] : [];
  });
}

function isTelling({ measurement: { pieces, requests, workersCpuNs } }: Slice): boolean {
  const isKnown = pieces.length > 1 && workersCpuNs.length > 0 && requests.length === 0;
  return isKnown && pieces.every(({ answers }) => answers >= FEWEST_ANSWERS);
}
