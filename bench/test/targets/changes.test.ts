import { describe, expect, test } from 'vitest';
import { type AskedChange, resolveChanges } from '../../src/targets/changes.ts';
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
    const [change] = resolveChanges(made.targets, [asked('web', 'b')]);
    expect(change?.target.name).toBe('b');
    const error = userError(() => resolveChanges(made.targets, [asked('web')]));
    expect(error.message).toBe('--with web: several targets depend on it: a, b');
    expect(error.next).toBe('Say of which, as in --with a:web@4.');
  });

  test('is refused where no target has it, with those that there are', () => {
    using made = dependents({ a: { log: '^1.0.0' }, b: WEB });
    const error = userError(() => resolveChanges(made.targets, [asked('wob')]));
    expect(error.message).toBe('--with wob: no target of this run depends on it');
    expect(error.next).toBe('Dependencies are: log, web.');
    expect(userError(() => resolveChanges(made.targets, [asked('web', 'a')])).message).toBe(
      '--with web: a does not depend on it',
    );
  });

  test('is refused for a target that is not measured, and where nothing can be changed', () => {
    using made = dependents({ a: {} });
    const error = userError(() => resolveChanges(made.targets, [asked('web', 'c')]));
    expect(error.message).toBe('--with c:web: c is not measured');
    expect(error.next).toBe('The targets of this run are: a.');
    const elsewhere = makeTarget('bare', { directory: '/no/such/folder' });
    for (const targets of [made.targets, [elsewhere]]) {
      expect(userError(() => resolveChanges(targets, [asked('web')])).next).toBe(
        'There is no dependency to change.',
      );
    }
  });
});
