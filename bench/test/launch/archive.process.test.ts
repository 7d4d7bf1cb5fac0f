import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SRC } from '../../src/base/places.ts';
import { framed, pack } from '../../src/launch/server-host.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** An app that depends on `a` and the first `c`. `b`, which `a` needs, needs the second `c`, and that needs `a` again. */
function makeApp({ path, write }: TemporaryFolder): string {
  // As pnpm has them: each in a folder of its own, with its dependencies linked beside it.
  const modulesOf = (id: string) => `store/${id}/node_modules`;
  const needs = { 'c@1': [], 'c@2': ['a@1'], 'b@1': ['c@2'], 'a@1': ['b@1', 'c@1'] };
  const link = (id: string, modules: string) => {
    const [name = ''] = id.split('@');
    mkdirSync(join(path, modules), { recursive: true });
    symlinkSync(join(path, modulesOf(id), name), join(path, modules, name));
  };
  for (const [id, all] of Object.entries(needs)) {
    const [name, version] = id.split('@');
    const modules = modulesOf(id);
    const dependencies = Object.fromEntries(all.map((each) => [each.split('@')[0], '*']));
    write(`${modules}/${name}/package.json`, { name, version, dependencies });
    write(`${modules}/${name}/index.js`, `module.exports = '${id}';`);
    for (const each of all) link(each, modules);
  }
  write('app/package.json', { dependencies: { a: '1', c: '1', absent: '1' } });
  for (const id of ['a@1', 'c@1']) link(id, 'app/node_modules');
  return join(path, 'app');
}

test('an archive of 400 kB is unpacked from a pipe, with each dependency in its version and no results', () => {
  using folder = temporaryFolder();
  const large = randomBytes(400_000);
  folder.write('app/large.bin', large);
  const app = makeApp(folder);
  const script = folder.write('app/bin/start.sh', 'echo started');
  chmodSync(script, 0o755);
  symlinkSync('start.sh', join(app, 'bin/link.sh'));
  folder.write('app/results/old.json', {});
  folder.write(
    'app/main.mjs',
    "import { createRequire } from 'node:module'; const load = createRequire(import.meta.url);" +
      "const b = createRequire(load.resolve('b'));" +
      "console.log(JSON.stringify([process.argv.slice(2), process.env.GREETING, load('c'), b('c')]));" +
      'process.exit();',
  );
  const only = ['main.mjs', 'package.json', 'bin', 'results', 'large.bin'];
  const archive = pack([{ from: app, to: 'there', only }]);
  const head = { program: 'there/main.mjs', args: ['one'], environment: { GREETING: 'Hi' } };
  const target = join(folder.path, 'target');
  mkdirSync(target);
  const unpack = readFileSync(join(SRC, 'launch/unpack.mjs'), 'utf8');
  // Keeps the folder, so that it can be looked at.
  const kept = unpack.replace(/^process\.on\('exit'.*$/m, '');
  const how = { cwd: target, input: framed(head, archive) };
  const args = ['--input-type=module', '--eval', kept, '10'];
  const { stdout } = spawnSync(process.execPath, args, how);
  expect(JSON.parse(String(stdout))).toEqual([['one'], 'Hi', 'c@1', 'c@2']);
  expect(statSync(join(target, 'there/bin/start.sh')).mode & 0o111).toBe(0o111);
  expect(readFileSync(join(target, 'there/bin/link.sh'), 'utf8')).toBe('echo started');
  expect(readFileSync(join(target, 'there/large.bin')).equals(large)).toBe(true);
  expect(existsSync(join(target, 'there/results'))).toBe(false);
});
