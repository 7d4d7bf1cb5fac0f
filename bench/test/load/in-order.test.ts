import { expect, test } from 'vitest';
import { InOrder, type Linked } from '../../src/load/in-order.ts';

interface Named extends Linked<Named> {
  name: string;
}

function named(name: string): Named {
  return { name, before: null, after: null };
}

function orderOf(...items: Named[]): InOrder<Named> {
  const order = new InOrder<Named>();
  for (const each of items) order.add(each);
  return order;
}

function namesIn(order: InOrder<Named>): string[] {
  return [...order].map(({ name }) => name);
}

test('an empty order has no oldest', () => {
  const order = orderOf();
  expect(order.oldest).toBeNull();
  expect(order.size).toBe(0);
  expect(namesIn(order)).toEqual([]);
});

test('what is in it comes oldest first', () => {
  const order = orderOf(named('a'), named('b'), named('c'));
  expect(namesIn(order)).toEqual(['a', 'b', 'c']);
  expect(order.oldest?.name).toBe('a');
  expect(order.size).toBe(3);
});

test.each([
  [0, 'b c'],
  [1, 'a c'],
  [2, 'a b'],
])('whatever is taken out, the others stay in their order: %i', (place, left) => {
  const items = [named('a'), named('b'), named('c')];
  const order = orderOf(...items);
  const over = items[place];
  if (over === undefined) throw new Error('no such place');
  order.remove(over);
  expect(namesIn(order).join(' ')).toBe(left);
  order.add(named('d'));
  expect(namesIn(order).join(' ')).toBe(`${left} d`);
  expect(order.size).toBe(3);
});

test('one that is over keeps nobody that came after it', () => {
  const [first, second] = [named('a'), named('b')];
  const order = orderOf(first, second);
  order.remove(first);
  expect(first).toEqual(named('a'));
  expect(second.before).toBeNull();
  order.remove(second);
  expect(order.oldest).toBeNull();
  expect(order.size).toBe(0);
});
