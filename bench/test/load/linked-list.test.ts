import { expect, test } from 'vitest';
import { type Linked, LinkedList } from '../../src/load/linked-list.ts';

interface Named extends Linked<Named> {
  name: string;
}

const named = (name: string): Named => ({ name, before: null, after: null });

function listOf(...items: Named[]): LinkedList<Named> {
  const list = new LinkedList<Named>();
  for (const each of items) list.add(each);
  return list;
}

/** What is in a list, and what it says of that. */
function contentsOf(list: LinkedList<Named>) {
  const names = [...list].map(({ name }) => name).join(' ');
  return { names, size: list.size, first: list.first?.name };
}

test('items are in the order in which they were added', () => {
  expect(contentsOf(listOf())).toEqual({ names: '', size: 0 });
  const list = listOf(named('a'), named('b'), named('c'));
  expect(contentsOf(list)).toEqual({ names: 'a b c', size: 3, first: 'a' });
});

test.each([
  [0, 'b c'],
  [1, 'a c'],
  [2, 'a b'],
])('whichever is removed, the others stay in their order: %i', (place, left) => {
  const items = [named('a'), named('b'), named('c')];
  const list = listOf(...items);
  for (const each of items.slice(place, place + 1)) list.remove(each);
  expect(contentsOf(list)).toMatchObject({ names: left, size: 2 });
  list.add(named('d'));
  expect(contentsOf(list)).toMatchObject({ names: `${left} d`, size: 3 });
});

test('one that is removed keeps nothing alive that came after it', () => {
  const [first, second] = [named('a'), named('b')];
  const list = listOf(first, second);
  list.remove(first);
  expect(first).toEqual(named('a'));
  expect(second.before).toBeNull();
  list.remove(second);
  expect(contentsOf(list)).toEqual({ names: '', size: 0 });
});
