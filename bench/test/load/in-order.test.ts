import { expect, test } from 'vitest';
import { InOrder, type Linked } from '../../src/load/in-order.ts';

interface Named extends Linked<Named> {
  name: string;
}

const named = (name: string): Named => ({ name, before: null, after: null });

function orderOf(...items: Named[]): InOrder<Named> {
  const order = new InOrder<Named>();
  for (const each of items) order.add(each);
  return order;
}

/** What is in an order, and what it says of that. */
function contentsOf(order: InOrder<Named>) {
  const names = [...order].map(({ name }) => name).join(' ');
  return { names, size: order.size, oldest: order.oldest?.name };
}

test('what is in it comes oldest first', () => {
  expect(contentsOf(orderOf())).toEqual({ names: '', size: 0 });
  const order = orderOf(named('a'), named('b'), named('c'));
  expect(contentsOf(order)).toEqual({ names: 'a b c', size: 3, oldest: 'a' });
});

test.each([
  [0, 'b c'],
  [1, 'a c'],
  [2, 'a b'],
])('whatever is taken out, the others stay in their order: %i', (place, left) => {
  const items = [named('a'), named('b'), named('c')];
  const order = orderOf(...items);
  for (const over of items.slice(place, place + 1)) order.remove(over);
  expect(contentsOf(order)).toMatchObject({ names: left, size: 2 });
  order.add(named('d'));
  expect(contentsOf(order)).toMatchObject({ names: `${left} d`, size: 3 });
});

test('one that is over keeps nobody that came after it', () => {
  const [first, second] = [named('a'), named('b')];
  const order = orderOf(first, second);
  order.remove(first);
  expect(first).toEqual(named('a'));
  expect(second.before).toBeNull();
  order.remove(second);
  expect(contentsOf(order)).toEqual({ names: '', size: 0 });
});
