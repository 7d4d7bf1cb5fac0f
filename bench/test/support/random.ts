/** Property-based tests of what reads outside input. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';

/** The number of cases where all of them would take long; the full tier asks for more. */
export const CASES = Number(process.env.OVERHEAD_RANDOM_CASES ?? 100);
/** Whether every combination is tried, not only some of each kind. */
export const TRIES_ALL = CASES >= 10_000;
/** The same cases in every run; another seed gives others. */
const seed = Number(process.env.OVERHEAD_RANDOM_SEED ?? 1);
const MS_PER_CASE = 30;

/** A test that something holds for all of these values. */
export function property<Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  holds: (value: Value) => void,
): void {
  test(name, { timeout: Math.max(10_000, CASES * MS_PER_CASE) }, () => {
    fc.assert(fc.property(values, holds), { numRuns: CASES, seed });
  });
}

/** The result, or undefined if it throws an error of this class; any other error fails the test. */
export function unless<Value>(
  known: abstract new (...args: never[]) => Error,
  act: () => Value,
): Value | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof known)) throw error;
    if (error.message.trim() === '') throw error;
    return undefined;
  }
}

/** That a value of a schema is read as it was saved. */
export function expectSavable<Value>(schema: z.ZodType<Value>, value: Value): void {
  const read = schema.parse(asJson(value));
  // A comparison by `expect` takes several times as long.
  if (!isDeepStrictEqual(read, value)) expect(read).toEqual(value);
}

/** Counts as the kernel reports them. */
export const counts = fc.nat({ max: 2 ** 40 });

/** Any character, often of ASCII; fast-check's own `binary` takes half a second to set up. */
export const character = fc
  .oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

const shortText = (maxLength: number) => fc.string({ unit: character, maxLength });

/** Any text, and often one that is made of these pieces. */
export function textOf(...pieces: string[]): fc.Arbitrary<string> {
  const parts = fc.array(fc.oneof(fc.constantFrom(...pieces), shortText(3)), { maxLength: 8 });
  const joined = parts.map((all) => all.join(''));
  return fc.oneof(fc.string({ unit: character }), joined);
}

/** These texts with a piece removed or replaced. */
export function garbled(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  // Doubles would come by their bits, and most of them would be close to 0.
  const share = fc.nat({ max: 1000 }).map((parts) => parts / 1000);
  const piece = fc.oneof(fc.constant(''), shortText(4));
  return fc.tuple(texts, share, share, piece).map(([text, one, other, put]) => {
    const from = Math.floor(Math.min(one, other) * text.length);
    const to = Math.floor(Math.max(one, other) * text.length);
    return text.slice(0, from) + put + text.slice(to);
  });
}

/** What a value is replaced by. */
const OTHERS: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, '', '-', 'constructor', '__proto__', [], {}, [null], { a: 1 }),
  fc.constantFrom(0, -0, -1, 0.5, 1e-300, 1e300, 2 ** 53, -(2 ** 31), 4_294_967_295),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  shortText(5),
);

const GONE = Symbol('gone');
const ofNumber = (change: (value: number) => number) => (value: unknown) => {
  return typeof value === 'number' ? change(value) : value;
};
const CHANGES: ((value: unknown, other: unknown) => unknown)[] = [
  () => GONE,
  (_, other) => other,
  (_, other) => other,
  ofNumber((value) => -value),
  ofNumber((value) => value * 1e6),
  ofNumber((value) => value + 0.5),
  (value) => (Array.isArray(value) ? [...value, ...value.slice(0, 1)] : [value]),
  (value) => (Array.isArray(value) ? value.slice(1) : JSON.stringify(value)),
  (value) => (Array.isArray(value) ? value.toReversed() : value),
];

/** JSON values like this one with one to three changes, which a failure lists. */
export function mutated(whole: unknown): fc.Arbitrary<unknown> {
  const plain = asJson(whole);
  const change = fc.record({
    turns: fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 8 }),
    how: fc.constantFrom(...CHANGES),
    other: OTHERS,
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const made: { path: string; found: unknown; put: unknown }[] = [];
    // What no change touches is shared between all values.
    const value = changes.reduce<unknown>((before, { turns, how, other }) => {
      const next = changedAt(before, turns, (found, path) => {
        const result = how(found, other);
        const put = result === GONE ? GONE : asJson(result);
        made.push({ path, found, put });
        return put;
      });
      return next === GONE ? null : next;
    }, plain);
    if (typeof value !== 'object' || value === null) return value;
    const told = () => {
      return made.map(({ path, found, put }) => {
        return `${path}: ${fc.stringify(found)} → ${fc.stringify(put)}`;
      });
    };
    return Object.defineProperty(value, fc.toStringMethod, { value: () => told().join('; ') });
  });
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The value with a change at one place: each turn chooses a key on the way there. */
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
