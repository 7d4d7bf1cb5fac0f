/** What a server of known cost may do for each request. */
import { crc32 } from 'node:zlib';
import { churn } from './known-work/index.ts';
import { spin } from './spin.ts';

/** Where results end up, so that no compiler can leave the work out. */
const kept: unknown[] = Array.from({ length: 8 }, () => null);
let place = 0;

function keep(result: unknown): void {
  kept[place++ & 7] = result;
}

/** Short-lived objects. */
function objects(amount: number): void {
  for (let index = 0; index < amount; index++) {
    keep({ index, name: 'request', tags: [index, index + 1], next: { at: index } });
  }
}

const DOCUMENT = {
  id: 1,
  name: 'Hello World!',
  tags: ['a', 'b', 'c'],
  nested: { ok: true, n: 1.5 },
};

/** A small document as JSON and back. */
function json(amount: number): void {
  for (let index = 0; index < amount; index++) keep(JSON.parse(JSON.stringify(DOCUMENT)));
}

/** Text as bytes, put together, and back. */
function buffers(amount: number): void {
  for (let index = 0; index < amount; index++) {
    keep(Buffer.concat([Buffer.from('Hello '), Buffer.from('World!')]).toString('latin1'));
  }
}

let bytes = Buffer.alloc(0);

/** So many bytes through a function in C++. */
function native(amount: number): void {
  if (bytes.length !== amount) bytes = Buffer.alloc(amount, 'overhead');
  keep(crc32(bytes));
}

interface Link {
  index: number;
  next: Link | null;
}
/** So many requests' objects are alive at a time, so that the garbage collector has to move them. */
const ALIVE = 2000;
const alive: (Link | null)[] = Array.from({ length: ALIVE }, () => null);
let at = 0;

/** Objects that live for a while: made fast, and paid for when they are collected. */
function survivors(amount: number): void {
  let chain: Link | null = null;
  for (let index = 0; index < amount; index++) chain = { index, next: chain };
  alive[at++ % ALIVE] = chain;
}

/** By its name, work that grows with an amount: turns of a loop, which leaves no garbage, and others that do. */
export const WORKS = { spin, objects, json, buffers, churn, native, survivors };
export type Work = keyof typeof WORKS;

export function isWork(name: unknown): name is Work {
  return typeof name === 'string' && name in WORKS;
}
