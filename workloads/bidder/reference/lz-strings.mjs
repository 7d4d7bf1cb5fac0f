// Prints 2,200 strings from a seed and what npm's lz-string makes of each, a line each: the UTF-16 units in
// hexadecimal, four digits each, and the compressed text. The Go port is tested against them.
import LZString from 'lz-string';
import { numbers } from './numbers.mjs';

const COUNT = 2_200;
const number = numbers(10_000);
const below = (most) => Math.floor(number() * most);
const oneOf = (list) => list[below(list.length)];
const times = (count, make) => Array.from({ length: count }, make);
const unit = (from, to) => String.fromCharCode(from + below(to - from + 1));

const WORDS = [
  '{"id":"',
  '"title":',
  '오늘만',
  '특가',
  '👨‍👩‍👧‍👦',
  '🧥',
  'https://',
  '__proto__',
  'constructor',
  '\u2028',
];
/** One for each kind of string that has a way of its own to go wrong. */
const KINDS = [
  () => '',
  () => times(below(40), () => unit(0x20, 0x7e)).join(''),
  () => times(below(200), () => unit(0xac00, 0xd7a3)).join(''),
  () => times(below(100), () => String.fromCodePoint(0x1f300 + below(0x300))).join(''),
  () => times(below(60), () => unit(0xd800, 0xdfff)).join(''),
  () => times(below(60), () => unit(0, 0xffff)).join(''),
  () => times(below(300), () => unit(0xf8, 0x108)).join(''),
  () => oneOf(['a', 'ab', '가나', '🎁', '\ud83c', '__proto__']).repeat(1 + below(800)),
  () => times(below(60), () => oneOf(WORDS)).join(''),
  () => times(below(600), () => unit(0x61, 0x64)).join(''),
  () => JSON.stringify(Object.fromEntries(times(below(20), () => [oneOf(WORDS), number()]))),
];

const lines = times(COUNT, (_, place) => {
  const text = KINDS[place % KINDS.length]();
  const units = times(text.length, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'));
  return `${units.join('')} ${LZString.compressToEncodedURIComponent(text)}\n`;
});
process.stdout.write(lines.join(''));
