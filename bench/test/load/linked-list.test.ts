import { expect, test } from 'vitest';
import { LinkedList, type ListNode } from '../../src/load/linked-list.ts';

interface Named extends ListNode<Named> {
  name: string;
}

const named = (name: string): Named => ({ name, before: null, after: null });

function listOf(items: Named[]): LinkedList<Named> {
  const list = new LinkedList<Named>();
  for (const each of items) list.add(each);
  return list;
}

/** What is in a list, and what it says of that. */
function contentsOf(list: LinkedList<Named>) {
  const names = [...list].map(({ name }) => name).join('');
  return { names, size: list.size, first: list.first?.name };
}

test.each([
  [0, 'bc'],
  [1, 'ac'],
  [2, 'ab'],
])('items are in the order in which they were added, whichever is removed: %i', (place, left) => {
  const items = [...'abc'].map(named);
  const list = listOf(items);
  expect(contentsOf(list)).toEqual({ names: 'abc', size: 3, first: 'a' });
  for (const each of items.slice(place, place + 1)) list.remove(each);
  expect(contentsOf(list)).toEqual({ names: left, size: 2, first: left[0] });
  list.add(named('d'));
  expect(contentsOf(list)).toEqual({ names: `${left}d`, size: 3, first: left[0] });
});

test('one that is removed keeps nothing alive that came after it', () => {
  const [first, second] = [named('a'), named('b')];
  const list = listOf([first, second]);
  list.remove(first);
  expect(first).toEqual(named('a'));
  expect(second.before).toBeNull();
  list.remove(second);
  expect(contentsOf(list)).toEqual(contentsOf(listOf([])));
  expect(contentsOf(list)).toEqual({ names: '', size: 0 });
});
