import { expect, test } from 'vitest';
import { LinkedList, type ListNode } from '../../src/load/linked-list.ts';

interface Named extends ListNode<Named> {
  name: string;
}

const named = (name: string): Named => ({ name, before: null, after: null });

/** What is in a list, and what it says of that. */
function contentsOf(list: LinkedList<Named>) {
  const names = [...list].map(({ name }) => name).join('');
  return { names, size: list.size, first: list.first?.name };
}

const LEFT = ['abc', 'bc', 'ac', 'ab', 'c', 'b', 'a', ''];
test.each(LEFT)('of three items "%s" are left in order, and others keep nothing alive', (left) => {
  const items = [...'abc'].map(named);
  const list = new LinkedList<Named>();
  for (const each of items) list.add(each);
  for (const each of items.filter(({ name }) => !left.includes(name))) {
    list.remove(each);
    expect(each).toEqual(named(each.name));
  }
  expect(contentsOf(list)).toEqual({ names: left, size: left.length, first: left[0] });
  list.add(named('d'));
  const names = `${left}d`;
  expect(contentsOf(list)).toEqual({ names, size: names.length, first: names[0] });
});
