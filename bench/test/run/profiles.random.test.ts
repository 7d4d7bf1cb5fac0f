import fc from 'fast-check';
import { expect } from 'vitest';
import { codeOwnerSchema } from '../../src/record/profile.ts';
import { attributor, packageIn } from '../../src/run/profiles.ts';
import { garbled, mutated, property, textOf } from '../support/random.ts';

const urls = textOf('file://', 'node:fs', '/', 'host', '%2F', 'evalmachine', 'wasm:', '..', 'C:');
const frames = fc.record({
  functionName: fc.oneof(fc.constantFrom('(program)', '(idle)', '', 'constructor'), fc.string()),
  scriptId: fc.constantFrom('0', '7'),
  url: urls,
  lineNumber: fc.integer({ min: -1, max: 1000 }),
});
const attribute = attributor(import.meta.dirname);

property('any frame has an owner', frames, (frame) => {
  const { owner, line } = attribute(frame);
  expect(codeOwnerSchema.parse(owner)).toEqual(owner);
  expect(line ?? 1).toBeGreaterThanOrEqual(1);
});

const texts = mutated({ name: 'express', version: '5.1.0' }).map((each) => JSON.stringify(each));
property('a manifest is of a package, or of none', fc.oneof(texts, garbled(texts)), (text) => {
  const found = packageIn(text);
  if (found !== null)
    expect([typeof found.name, typeof found.version]).toEqual(['string', 'string']);
});
