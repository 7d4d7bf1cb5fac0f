import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type AskedChange, resolveChanges, specOf } from '../../src/targets/changes.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { userError } from '../support/caught.ts';
import { makeTarget } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Targets whose manifests say that they depend on these packages. */
function dependents(all: Record<string, Record<string, string>>) {
  const folder = temporaryFolder();
  const targets = Object.entries(all).map(([name, dependencies]): LocalTarget => {
    folder.write(`${name}/package.json`, { name, dependencies });
    return makeTarget(name, { directory: `${folder.path}/${name}` });
  });
  return { targets, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const WEB = { web: '^5.0.0', log: '^1.0.0' };
const asked = (dependency: string, target: string | null = null): AskedChange => {
  return { target, dependency, version: '4' };
};

describe('a change of a dependency', () => {
  test('is of the only target that has it', () => {
    using made = dependents({ a: { log: '^1.0.0' }, b: WEB });
    const [, b] = made.targets;
    expect(resolveChanges(made.targets, [asked('web')])).toEqual([
      { target: b, dependency: 'web', version: '4' },
    ]);
  });

  test('is of the target that is named, where several have it', () => {
    using made = dependents({ a: WEB, b: WEB });
    expect(resolveChanges(made.targets, [asked('web', 'b')])[0]?.target.name).toBe('b');
  });

  test('is of the only target that uses it through others, as an override', () => {
    using folder = temporaryFolder();
    folder.write('a/package.json', { dependencies: { web: '^5.0.0' } });
    folder.write('a/node_modules/web/package.json', { dependencies: { router: '2' } });
    const a = makeTarget('a', { directory: join(folder.path, 'a') });
    expect(resolveChanges([a], [asked('router')])[0]?.target).toBe(a);
    expect(() => resolveChanges([a], [asked('other')])).toThrow('a does not depend on it');
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
    expect(specOf(version)).toBe(spec);
    vi.unstubAllEnvs();
  });

  const SOME = { a: { log: '^1.0.0' }, b: WEB };
  test.each([
    [
      ...[{ a: WEB, b: WEB }, asked('web'), '--with web: several targets depend on it: a, b'],
      'Say of which, as in --with a:web@4.',
    ],
    [
      ...[SOME, asked('wob'), '--with wob: no target of this run depends on it'],
      'Dependencies are: log, web.',
    ],
    [SOME, asked('web', 'a'), '--with web: a does not depend on it', 'Dependencies are: log.'],
    [
      { a: {} },
      asked('web', 'c'),
      '--with c:web: c is not measured',
      'The targets of this run are: a.',
    ],
    [
      { a: {} },
      asked('web'),
      '--with web: a does not depend on it',
      'There is no dependency to change.',
    ],
  ] as const)('is refused of %j: %j', (all, change, message, next) => {
    using made = dependents(all);
    const error = userError(() => resolveChanges(made.targets, [change]));
    expect([error.message, error.next]).toEqual([message, next]);
  });

  test('is refused of a folder without a manifest', () => {
    const bare = makeTarget('bare', { directory: '/no/such/folder' });
    const { next } = userError(() => resolveChanges([bare], [asked('web')]));
    expect(next).toBe('There is no dependency to change.');
  });
});
