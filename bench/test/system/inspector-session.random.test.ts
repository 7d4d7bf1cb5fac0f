import fc from 'fast-check';
import { expect } from 'vitest';
import { messageIn } from '../../src/system/inspector-session.ts';
import { garbled, mutated, property } from '../support/random.ts';

const id = fc.nat();
const answers = fc.oneof(
  fc.record({ id, result: fc.json().map((text): unknown => JSON.parse(text)) }),
  fc.record({ id, error: fc.record({ message: fc.string() }) }),
);
property('an answer is what the inspector wrote', answers, (answer) => {
  expect(messageIn(JSON.stringify(answer))).toEqual(answer);
});

const texts = answers.map((answer) => JSON.stringify(answer));
const changed = fc.oneof(
  garbled(texts),
  answers.chain(mutated).map((each) => JSON.stringify(each)),
);
property('any other message is an answer or none', changed, (text) => {
  const message = messageIn(text);
  if (message !== null) expect(Number.isInteger(message.id)).toBe(true);
});
