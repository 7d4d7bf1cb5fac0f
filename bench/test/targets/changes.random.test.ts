import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { resolveChanges } from '../../src/targets/changes.ts';
import { makeTarget } from '../support/make-record.ts';
import { garbled, mutated, property, unless } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const manifest = mutated({ name: 'app', dependencies: { express: '^5.1.0', ws: '8' } });
const texts = manifest.map((each) => JSON.stringify(each));
const dependency = fc.constantFrom('express', 'ws', 'constructor', '__proto__', 'toString', '0');
const asked = fc.tuple(fc.oneof(texts, garbled(texts)), dependency);

property(
  'only what a manifest depends on can be changed',
  asked,
  ([text, name]) => {
    folder.write('app/package.json', text);
    const app = makeTarget('app', { directory: `${folder.path}/app` });
    const change = { target: null, dependency: name, version: '4' };
    if (unless(UserError, () => resolveChanges([app], [change])) === undefined) return;
    expect(Object.keys(JSON.parse(text).dependencies)).toContain(name);
  },
  { share: 0.5 },
);
