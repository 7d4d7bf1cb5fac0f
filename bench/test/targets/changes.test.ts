import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type AskedChange, npmSpec, resolveChanges } from '../../src/targets/changes.ts';
import { userError } from '../support/caught.ts';
import { makeTarget } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Targets whose manifests have these dependencies. */
function dependents(all: Record<string, Record<string, string>>) {
  const folder = temporaryFolder();
  const targets = Object.entries(all).map(([name, dependencies]) => {
    folder.write(`${name}/package.json`, { name, dependencies });
    return makeTarget(name, { directory: join(folder.path, name) });
  });
  return { targets, ...folder };
}

const LOG = { log: '^1.0.0' };
const WEB = { web: '^5.0.0', ...LOG };
const asked = (dependency: string, target: string | null = null): AskedChange => {
  return { target, dependency, version: '4' };
};

test.each([
  ['the only target that has it', { a: LOG, b: WEB }, asked('web'), 'b'],
  ['the target that is named, if several have it', { a: WEB, b: WEB }, asked('web', 'b'), 'b'],
])('a change of a dependency applies to %s', (_, all, change, name) => {
  using made = dependents(all);
  const target = made.targets.find((each) => each.name === name);
  expect(resolveChanges(made.targets, [change])).toEqual([
    { target, dependency: 'web', version: '4' },
  ]);
});

test('a change of a dependency applies to the only target that has it through others', () => {
  using made = dependents({ a: WEB });
  made.write('a/node_modules/web/package.json', { dependencies: { router: '2' } });
  expect(resolveChanges(made.targets, [asked('router')])[0]?.target).toBe(made.targets[0]);
  expect(() => resolveChanges(made.targets, [asked('other')])).toThrow('a does not depend on it');
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
  vi.unstubAllEnvs();
});

const SOME = { a: LOG, b: WEB };
const SEVERAL = '--with web: several targets depend on it: a, b';
const NOBODY = '--with wob: no target of this run depends on it';
const NOT_A = '--with web: a does not depend on it';
const NO_CHANGE = 'There is no dependency to change.';
test.each([
  [{ a: WEB, b: WEB }, asked('web'), SEVERAL, 'Say of which, as in --with a:web@4.'],
  [SOME, asked('wob'), NOBODY, 'Dependencies are: log, web.'],
  [SOME, asked('web', 'a'), NOT_A, 'Dependencies are: log.'],
  [
    { a: {} },
    asked('web', 'c'),
    '--with c:web: c is not measured',
    'The targets of this run are: a.',
  ],
  [{ a: {} }, asked('web'), NOT_A, NO_CHANGE],
])('a change is refused of %j: %j', (all, change, message, next) => {
  using made = dependents(all);
  const error = userError(() => resolveChanges(made.targets, [change]));
  expect([error.message, error.next]).toEqual([message, next]);
});

test('a change is refused of a folder without a manifest', () => {
  const bare = makeTarget('bare', { directory: '/no/such/folder' });
  expect(userError(() => resolveChanges([bare], [asked('web')])).next).toBe(NO_CHANGE);
});
