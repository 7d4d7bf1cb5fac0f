import { describe, expect, test } from 'vitest';
import { equipped, requireNeeds } from '../../src/targets/needs.ts';
import { chooseTargets } from '../../src/targets/targets.ts';
import { userError } from '../support/caught.ts';
import { makeTarget } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A program that is nowhere. */
const NOWHERE = 'no-such-program';
const BLOCK = {
  suite: 'frameworks',
  label: 'A server',
  start: ['sh', 'main.sh'],
  port: 3001,
  request: { method: 'GET', path: '/' },
  expect: { status: 200, body: 'Hello World!' },
};

describe('what a target lacks', () => {
  test('is every program that it needs and that is not on the PATH', () => {
    const target = makeTarget('server', { needs: ['sh', NOWHERE] });
    const plain = makeTarget('plain', { needs: ['sh'] });
    const leftOut = ['server needs no-such-program'];
    expect(equipped([target, plain])).toEqual({ targets: [plain], leftOut });
  });

  test('is said with how to get it, where that is known', () => {
    const { PATH } = process.env;
    process.env.PATH = '/nowhere';
    try {
      const target = makeTarget('gin', { needs: ['go', 'curl'] });
      const lacks = 'gin needs go (https://go.dev/doc/install) and curl';
      expect(equipped([target]).leftOut).toEqual([lacks]);
    } finally {
      process.env.PATH = PATH;
    }
  });

  test('is every file that is not there, by a pattern of its whole path', () => {
    using folder = temporaryFolder();
    const need = `${folder.path}/{a,b}*.so`;
    const target = makeTarget('server', { needs: [need] });
    expect(equipped([target]).leftOut).toEqual([`server needs ${need}`]);
    folder.write('b1.so', '');
    expect(equipped([target]).leftOut).toEqual([]);
  });

  test('is an error for those that are named', () => {
    const error = userError(() => requireNeeds([makeTarget('gin', { needs: [NOWHERE] })]));
    expect(error.message).toBe('not on the PATH: gin needs no-such-program');
    expect(error.next).toContain('--targets');
  });
});

describe('choosing targets that lack something', () => {
  function folderOf(names: Record<string, string[]>) {
    const folder = temporaryFolder();
    for (const [name, needs] of Object.entries(names)) {
      folder.write(`${name}/package.json`, { name, bench: { ...BLOCK, needs } });
    }
    return folder;
  }

  test('leaves them out, with the reason, where nobody named them', () => {
    using folder = folderOf({ here: ['sh'], lacking: [NOWHERE] });
    for (const names of [null, ['all']]) {
      const { targets, leftOut } = chooseTargets(folder.path, names, 'frameworks');
      expect(targets.map(({ name }) => name)).toEqual(['here']);
      expect(leftOut).toEqual(['lacking needs no-such-program']);
    }
  });

  test('refuses them where they are named', () => {
    using folder = folderOf({ here: ['sh'], lacking: [NOWHERE] });
    const error = userError(() => chooseTargets(folder.path, ['here', 'lacking'], null));
    expect(error.message).toContain('lacking needs no-such-program');
  });

  test('refuses to go on with none', () => {
    using folder = folderOf({ lacking: [NOWHERE] });
    const error = userError(() => chooseTargets(folder.path, null, null));
    expect(error.message).toBe('no target can run here: lacking needs no-such-program');
  });
});
