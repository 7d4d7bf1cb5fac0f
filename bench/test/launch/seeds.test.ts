import { expect, test } from 'vitest';
import { contentOf } from '../../src/launch/seeds.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const command: [string, ...string[]] = ['node', 'seed.mjs'];

test('is the same for the same files, wherever they are', () => {
  using one = temporaryFolder();
  using other = temporaryFolder();
  const [first, second] = [one, other].map(({ path, write }) => {
    write('rows/b/c', 'three');
    write('rows/a', 'one');
    return contentOf([{ command, files: [write('seed.mjs', 'text'), `${path}/rows`] }]);
  });
  expect(first).toMatch(/^[\da-f]{16}$/);
  expect(second).toBe(first);
});

test('is another where a command, a name, a text or the order of seeds is another', () => {
  using folder = temporaryFolder();
  const files = [folder.write('seed.mjs', 'text'), `${folder.path}/rows`];
  const contents: (string | null)[] = [];
  const note = (...seeds: { command: typeof command; files: string[] }[]) => {
    contents.push(contentOf(seeds));
  };
  const other: typeof command = ['node', 'seed.mjs', '--more'];
  folder.write('rows/a', 'one');
  note({ command, files });
  note({ command: other, files });
  note({ command, files }, { command: other, files });
  note({ command: other, files }, { command, files });
  folder.write('rows/a', 'two');
  note({ command, files });
  folder.write('rows/b', 'one');
  note({ command, files });
  folder.write('seed.mjs', 'texts');
  note({ command, files });
  expect(new Set(contents).size).toBe(7);
});

test('is unknown where one of the seeds does not say', () => {
  using folder = temporaryFolder();
  const files = [folder.write('seed.mjs', 'text')];
  const seeds = [
    { command, files },
    { command, files: null },
  ];
  expect(contentOf(seeds)).toBeNull();
});
