/** The npm package after its installation. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { expectAnswers, recordIn, TINY } from '../cli/harness.ts';
import { wordsOf } from '../support/command.ts';
import { OLDEST } from '../support/fake-npm.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LARGEST_MB = 25;
/** Packages that the test installs besides it. */
const NOT_OF_IT = ['node', 'node-*', 'typescript', '@types', 'undici-types'];
const INSTALL = ['install', '--no-audit', '--no-fund', '--no-save'];

const project = temporaryFolder();
let mbInstalled = 0;

/** Runs a command in the project, which prefers the programs of its own packages. */
function inProject(file: string, args: string[]) {
  return execa(file, args, {
    cwd: project.path,
    preferLocal: true,
    localDir: project.path,
    // pnpm, which runs the tests, has set another folder.
    env: { INIT_CWD: project.path },
    reject: false,
    stdin: 'ignore',
  });
}

beforeAll(async () => {
  const pack = ['pack', '--json', '--pack-destination', project.path];
  const { stdout } = await execa('npm', pack, { cwd: ROOT });
  const [tarball = ''] = /overhead-[\w.-]+\.tgz/.exec(stdout) ?? [];
  project.write('package.json', { private: true, type: 'module' });
  project.write(
    'server.js',
    `import { createServer } from 'node:http';
     createServer((request, response) => response.end('hello')).listen(process.env.PORT);`,
  );
  const packages = [`./${tarball}`, 'node@22', 'typescript@5', '@types/node@22'];
  await execa('npm', [...INSTALL, ...packages], { cwd: project.path });
  const excluded = NOT_OF_IT.map((name) => `--exclude=node_modules/${name}`);
  const modules = join(project.path, 'node_modules');
  const { stdout: size } = await execa('du', ['-sm', ...excluded, modules]);
  mbInstalled = Number.parseInt(size, 10);
}, 170_000);
afterAll(() => {
  project[Symbol.dispose]();
});

test('is small, and has the licenses of bundled packages', () => {
  expect(mbInstalled).toBeGreaterThan(1);
  expect(mbInstalled).toBeLessThanOrEqual(LARGEST_MB);
  expect(existsSync(join(project.path, 'node_modules/pm2'))).toBe(false);
  const licenses = join(project.path, 'node_modules/overhead/dist/LICENSES.txt');
  expect(readFileSync(licenses, 'utf8')).toMatch(/^execa \S+ \(MIT\)$/m);
});

test('on Node 22 measures a server of the project, and saves the record there', async () => {
  const line = `run 'node server.js' ${TINY} --out one.json`;
  const run = await inProject('overhead', wordsOf(line));
  expect(run.stderr).not.toContain('defect');
  expect(run.stdout).toMatch(/^node server\.js .* node:http /m);
  expectAnswers(recordIn(join(project.path, 'one.json')));
  expect(existsSync(join(project.path, 'one.html'))).toBe(true);
});

test('on Node 22 says what to install for a topology of pm2', async () => {
  const line = `run 'node server.js' ${TINY} --topology 2 --out two.json`;
  const { exitCode, stderr } = await inProject('overhead', wordsOf(line));
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('npm install --save-dev pm2');
});

test('on Node 22 measures from a program, with types', async () => {
  project.write(
    'measure.ts',
    `import { measure, type Measurement, type RunRecord, UserError } from 'overhead';
     const found: Measurement = await measure(['node server.js'], {
       connections: 10, duration: 1.2, slice: 0.2, launches: 2, warmup: 0.1,
     });
     const record: RunRecord = found.record;
     const [first] = found.overheads;
     console.log(record.slices.length > 0, first?.server, first?.adds.kind, UserError.name);`,
  );
  const compiler = ['--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node'];
  const checked = await inProject('tsc', [...compiler, 'measure.ts']);
  expect(checked.stdout).toBe('');
  const { stdout, stderr } = await inProject('node', ['measure.js']);
  expect(stderr).toBe('');
  expect(stdout).toBe('true node server.js interval UserError');
});

test('says which Node it needs on an older one', async () => {
  const program = join(project.path, 'node_modules/overhead/dist/overhead.js');
  const { exitCode, stderr } = await execa(OLDEST, [program], { reject: false });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('overhead needs Node 22 or later');
});
