import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type AskedChange, npmSpec, resolveChanges } from '../../src/targets/changes.ts';
import { userError } from '../support/caught.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { makeTarget } from '../support/make-record.ts';

const folder = folderOfEach();

/** Targets whose manifests have these dependencies; null for one without a manifest. */
function dependents(all: Record<string, Record<string, string> | null>) {
  return Object.entries(all).map(([name, dependencies]) => {
    if (dependencies !== null) folder.write(`${name}/package.json`, { name, dependencies });
    return makeTarget(name, { directory: join(folder.path, name) });
  });
}

const LOG = { log: '^1.0.0' };
const WEB = { web: '^5.0.0', ...LOG };
const asked = (dependency: string, target: string | null = null): AskedChange => {
  return { target, dependency, version: '4' };
};

test.each([
  ['that has it', { a: LOG, b: WEB }, asked('web')],
  ['that is named, if several have it', { a: WEB, b: WEB }, asked('web', 'b')],
  ['that has it through others', { a: LOG, b: WEB }, asked('router')],
])('a change of a dependency applies to the only target %s', (_, all, change) => {
  const targets = dependents(all);
  folder.write('b/node_modules/web/package.json', { dependencies: { router: '2' } });
  expect(resolveChanges(targets, [change])).toEqual([{ ...change, target: targets[1] }]);
});

test.each([
  ['4', null],
  ['^4.1.0', null],
  ['next', null],
  ['github:expressjs/express#master', 'github:expressjs/express#master'],
  ['expressjs/express', 'expressjs/express'],
  ['git+https://host/x.git', 'git+https://host/x.git'],
  ['./express', 'file:/here/express'],
  ['file:../express', 'file:/express'],
  ['express-5.tgz', 'file:/here/express-5.tgz'],
  ['/there/express', 'file:/there/express'],
])('%s is of the registry, or found elsewhere: %s', (version, spec) => {
  vi.stubEnv('INIT_CWD', '/here');
  expect(npmSpec(version)).toBe(spec);
});

const SOME = { a: LOG, b: WEB };
const SEVERAL = '--with web: several targets depend on it: a, b';
const NOBODY = '--with wob: no target of this run depends on it';
const NOT_A = '--with web: a does not depend on it';
const NOT_C = '--with c:web: c is not measured';
test.each([
  [{ a: WEB, b: WEB }, asked('web'), SEVERAL, 'Say of which, as in --with a:web@4.'],
  [SOME, asked('wob'), NOBODY, 'Dependencies are: log, web.'],
  [SOME, asked('web', 'a'), NOT_A, 'Dependencies are: log.'],
  [{ a: {} }, asked('web', 'c'), NOT_C, 'The targets of this run are: a.'],
  [{ a: {} }, asked('web'), NOT_A, 'There is no dependency to change.'],
  [{ a: null }, asked('web'), NOT_A, 'There is no dependency to change.'],
])('a change is refused of %j: %j', (all, change, message, next) => {
  const error = userError(() => resolveChanges(dependents(all), [change]));
  expect([error.message, error.next]).toEqual([message, next]);
});
