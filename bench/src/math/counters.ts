/** Arithmetic on counters: numbers in objects and arrays of any depth, matched by their keys. */

/** The sum of two counters, with what only one of them has. `addTexts` combines strings. Null where either is. */
export function plus<T extends object | null>(a: T, b: T, addTexts?: AddTexts): T;
export function plus(a: unknown, b: unknown, addTexts?: AddTexts): unknown {
  return combine(a, b, (one, other) => {
    if (one === undefined || other === undefined) return one ?? other;
    if (typeof one === 'string' && typeof other === 'string') return addTexts?.(one, other);
    return Number(one) + Number(other);
  });
}

type AddTexts = (a: string, b: string) => string;

/** The later counter minus the earlier one, in which missing numbers count as 0; null where either is. */
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
