/** Properties of what reads outside input: of any text or value, not of examples. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CASES } from './cases.ts';

/** The same cases each time, so that a change is what fails; another seed looks elsewhere. */
const seed = Number(process.env.OVERHEAD_RANDOM_SEED ?? 1);
const MS_PER_CASE = 12;

/** A test that something holds of all of these values; `share` of the cases is enough where each takes long. */
export function property<Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  holds: (value: Value) => void,
  { share = 1 } = {},
): void {
  const numRuns = Math.ceil(CASES * share);
  test(name, { timeout: Math.max(10_000, CASES * MS_PER_CASE) }, () => {
    fc.assert(fc.property(values, holds), { numRuns, seed });
  });
}

/** What this gives; undefined where it throws one of these errors. Any other fails the test. */
export function unless<Value>(
  known: abstract new (...args: never[]) => Error,
  act: () => Value,
): Value | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof known) expect(error.message).toMatch(/\S/);
    else throw error;
    return undefined;
  }
}

/** Whole numbers as the kernel has them. */
export const counts = fc.nat({ max: 2 ** 40 });

const codePoints = [
  fc.nat({ max: 0x7f }),
  fc.nat({ max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
];
/** Any character, half of all of ASCII; fast-check's own `binary` takes half a second to set up. */
export const character = fc.oneof(...codePoints).map((code) => String.fromCodePoint(code));

/** Any text, and often one that is made of these pieces. */
export function textOf(...pieces: string[]): fc.Arbitrary<string> {
  const made = fc.array(
    fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3, unit: character })),
    { maxLength: 8 },
  );
  return fc.oneof(
    fc.string({ unit: character }),
    made.map((parts) => parts.join('')),
  );
}

/** This text with a piece of it gone, twice there, or in place of another. */
export function garbled(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const piece = fc.oneof(fc.constant(''), fc.string({ unit: character, maxLength: 4 }));
  return fc.tuple(texts, place, place, piece).map(([text, one, other, put]) => {
    const [from = 0, to = 0] = [one, other]
      .map((share) => Math.floor(share * text.length))
      .sort((a, b) => a - b);
    return text.slice(0, from) + put + text.slice(to);
  });
}

/** What a value is replaced by. */
const OTHERS: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, '', '-', 'constructor', '__proto__', [], {}, [null], { a: 1 }),
  fc.constantFrom(0, -0, -1, 0.5, 1e-300, 1e300, 2 ** 53, -(2 ** 31), 4_294_967_295),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: character, maxLength: 5 }),
);

/** How one place of a value is changed. */
type Change = (value: unknown, other: unknown) => unknown;
const GONE = Symbol('gone');
const CHANGES: Change[] = [
  () => GONE,
  (_, other) => other,
  (_, other) => other,
  (value) => (typeof value === 'number' ? -value : value),
  (value) => (typeof value === 'number' ? value * 1e6 : value),
  (value) => (typeof value === 'number' ? value + 0.5 : value),
  (value) => (Array.isArray(value) ? [...value, ...value.slice(0, 1)] : [value]),
  (value) => (Array.isArray(value) ? value.slice(1) : JSON.stringify(value)),
  (value) => (Array.isArray(value) ? value.toReversed() : value),
];

/** Values of JSON like this one, of which one to three places are something else; a failure tells which. */
export function mutated(whole: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({
    turns: fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 8 }),
    how: fc.constantFrom(...CHANGES),
    other: OTHERS,
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const plain: unknown = JSON.parse(JSON.stringify(whole));
    const told: string[] = [];
    const changed = changes.reduce<unknown>((value, { turns, how, other }) => {
      const made = changedAt(value, turns, (found, path) => {
        const put = how(found, other);
        told.push(`${path}: ${fc.stringify(found)} → ${fc.stringify(put)}`);
        return put;
      });
      return made === GONE ? null : made;
    }, plain);
    const value: unknown = JSON.parse(JSON.stringify(changed));
    if (typeof value !== 'object' || value === null) return value;
    return Object.defineProperty(value, fc.toStringMethod, { value: () => told.join('; ') });
  });
}

/** A value with another in a place of it, which these turns lead to. */
function changedAt(
  value: unknown,
  [turn, ...turns]: number[],
  change: (found: unknown, path: string) => unknown,
  path = '',
): unknown {
  if (turn === undefined || typeof value !== 'object' || value === null) return change(value, path);
  const keys = Object.keys(value);
  const key = keys[turn % keys.length];
  if (key === undefined) return change(value, path);
  const entries = Object.entries(value).flatMap(([each, inner]) => {
    const made = each === key ? changedAt(inner, turns, change, `${path}.${key}`) : inner;
    return made === GONE ? [] : [[each, made] as const];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
