/** Arithmetic on what is counted: numbers in records and lists of any depth, each with the one at its place in the other. */

/**
 * Two of them together, the texts in them by `addTexts`. What only one of them has stays as it is. Null stands for what
 * nobody knows, and so is the sum.
 */
export function plus<T extends object | null>(a: T, b: T, addTexts?: AddTexts): T;
export function plus(a: unknown, b: unknown, addTexts?: AddTexts): unknown {
  return combine(a, b, (one, other) => {
    if (one === undefined || other === undefined) return one ?? other;
    if (typeof one === 'string' && typeof other === 'string') return addTexts?.(one, other);
    return Number(one) + Number(other);
  });
}

type AddTexts = (a: string, b: string) => string;

/** What the later one has more than the earlier one, in which what is missing counts as 0; null where either is. */
export function minus<T extends object | null>(later: T, earlier: T): T;
export function minus(later: unknown, earlier: unknown): unknown {
  return combine(later, earlier, (to, from) => Number(to) - Number(from ?? 0));
}

function combine(a: unknown, b: unknown, act: (a: unknown, b: unknown) => unknown): unknown {
  if (a === null || b === null) return null;
  const some = a ?? b;
  if (typeof some !== 'object') return act(a, b);
  const [own, other] = [partsOf(a), partsOf(b)];
  const combined = new Map(
    [...own, ...other].map(([key]) => [key, combine(own.get(key), other.get(key), act)]),
  );
  return Array.isArray(some) ? [...combined.values()] : Object.fromEntries(combined);
}

function partsOf(value: unknown): Map<string, unknown> {
  return new Map(value instanceof Object ? Object.entries(value) : []);
}
