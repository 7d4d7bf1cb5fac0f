import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Backend } from '../../src/run/backend.ts';
import { command, type Finished } from '../support/command.ts';
import { fixture } from '../support/fixtures.ts';
import { makeRecord } from '../support/make-record.ts';
import { simulatedBackend, type World } from '../support/simulated/backend.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { on, TINY } from './harness.ts';

const FRAMEWORKS = ['frameworks', ...on(['ok'], 'single')];

/** A machine on which nothing can be started: who tries ends with 1, not with 2. */
function barren(world: World = {}): Backend {
  const refuse = () => {
    throw new Error('something is started');
  };
  return { ...simulatedBackend(world), startLaunches: refuse, startGenerator: refuse };
}

/** What a refusal says, which comes before anything is started, printed or saved. */
async function refusal(args: string[], world: World = {}): Promise<string> {
  using folder = temporaryFolder();
  vi.stubEnv('INIT_CWD', folder.path);
  const saves = args.includes('frameworks') && !args.includes('--out');
  const out = join(folder.path, 'record.json');
  const finished = await command(saves ? [...args, '--out', out] : args, {
    backend: barren(world),
  });
  expect(existsSync(out)).toBe(false);
  return refusalOf(finished);
}

function refusalOf({ code, stdout, stderr }: Finished): string {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: /);
  expect(stderr).not.toMatch(/^ +at /m);
  return stderr;
}

/** Makes targets, out of the texts of their manifests. */
function write(folder: TemporaryFolder, manifests: Record<string, string>): void {
  for (const [target, manifest] of Object.entries(manifests)) {
    folder.write(join(target, 'package.json'), manifest);
  }
}

const MANIFEST = readFileSync(join(fixture('ok').directory, 'package.json'), 'utf8');
const { bench: BLOCK } = JSON.parse(MANIFEST);
const manifestOf = (changes: object) => JSON.stringify({ bench: { ...BLOCK, ...changes } });

afterEach(() => {
  vi.unstubAllEnvs();
});

test('where nothing can be started, an accepted run does not end with 2', async () => {
  const run = await command(['verify', ...on(['ok'], 'single')], { backend: barren() });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('something is started');
});

test.each(['frameworks', 'cluster', 'verify'])(
  '%s refuses an unknown target with the known ones',
  async (name) => {
    const message = await refusal([name, ...on(['ok', 'no-such-one'], 'single')]);
    expect(message).toContain('unknown target "no-such-one"');
    expect(message).toContain('crash-at-once, crash-under-load, ignores-sigterm');
  },
);

test.each([
  { flags: ['--topology', 'double'], says: '"double" is no topology' },
  { flags: ['-c', '0'], says: 'whole number from 1' },
  { flags: ['-d', 'abc'], says: 'number of seconds' },
  { flags: ['-d', '0.2', '--launches', '6'], says: 'too short for 6 launches' },
  { flags: ['--contiguous', '--slice', '1'], says: '--slice has no meaning' },
  { flags: ['--warp', '9'], says: "unknown option '--warp'" },
])('frameworks $flags is refused', async ({ flags, says }) => {
  expect(await refusal([...FRAMEWORKS, ...flags])).toContain(says);
});

test('k6 as the driver is refused where it is not on the PATH, with where to get it', async () => {
  using folder = temporaryFolder();
  vi.stubEnv('PATH', folder.path);
  const message = await refusal([...FRAMEWORKS, '--rate', '5', '--driver', 'k6']);
  expect(message).toContain('k6 is not on the PATH');
  expect(message).toContain('https://grafana.com/docs/k6/');
});

test('a cluster of what is not node is refused', async () => {
  const message = await refusal(['verify', ...on(['ok', 'not-node'], '2')]);
  expect(message).toContain('not-node starts with "sh"');
});

test.each([
  { fileLimit: 200, flags: ['-c', '300'], needed: '364' },
  // 100 connections to the server, and to the probe that is dealt with it.
  { fileLimit: 150, flags: TINY, needed: '264' },
])(
  'a file limit of $fileLimit is refused with the number needed',
  async ({ fileLimit, flags, needed }) => {
    expect(await refusal([...FRAMEWORKS, ...flags], { machine: { fileLimit } })).toContain(needed);
  },
);

test.each([
  { what: 'an unknown key', changes: { startt: [] }, says: 'startt' },
  { what: 'no start', changes: { start: undefined }, says: 'bench.start' },
  { what: 'a port out of range', changes: { port: 70_000 }, says: 'bench.port' },
  { what: 'an unknown `over`', changes: { over: 'nobody' }, says: 'bench.over: "nobody"' },
])('a block with $what is refused with the file and the key', async ({ changes, says }) => {
  using folder = temporaryFolder();
  write(folder, { broken: manifestOf(changes) });
  const message = await refusal(['verify', '--packages', folder.path]);
  expect(message).toContain(join(folder.path, 'broken/package.json'));
  expect(message).toContain(says);
});

test.each([
  { manifest: '{ "bench": ', says: 'broken/package.json' },
  { manifest: '{}', says: 'no target in ' },
])('a folder with the manifest $manifest is refused', async ({ manifest, says }) => {
  using folder = temporaryFolder();
  write(folder, { broken: manifest });
  const message = await refusal(['verify', '--packages', folder.path]);
  expect(message).toContain(says);
  expect(message).toContain(folder.path);
});

test('a folder that is not there is refused', async () => {
  const message = await refusal(['verify', '--packages', '/no/such/folder']);
  expect(message).toContain('/no/such/folder');
});

test.each(['frameworks', 'verify'])(
  '%s refuses targets that are not built, and says how to build them',
  async (name) => {
    using folder = temporaryFolder();
    write(folder, { early: manifestOf({}), eager: manifestOf({}) });
    const message = await refusal([name, '--packages', folder.path, '--topology', 'single']);
    expect(message).toContain('not built: eager, early');
    expect(message).toContain('pnpm build');
  },
);

test('a place where no record can be saved is refused before anything runs', async () => {
  using folder = temporaryFolder();
  const file = folder.write('a-file', '');
  for (const path of [join(file, 'record.json'), folder.path, '/proc/record.json']) {
    const message = await refusal([...FRAMEWORKS, ...TINY, '--out', path]);
    expect(message).toContain("can't save the record");
  }
});

test.each(
  Object.entries({
    text: 'no JSON at all',
    foreign: '{"schema":"another.tool","version":1}',
    list: '[1, 2, 3]',
    older: '{"schema":"overhead.run","version":1}',
    newer: '{"schema":"overhead.run","version":1000}',
    damaged: JSON.stringify({ ...makeRecord({}, () => null), slices: 7 }),
  }),
)('a file that is no record of this version is refused: %s', async (name, text) => {
  using folder = temporaryFolder();
  const path = folder.write(`${name}.json`, text);
  expect(await refusal(['report', path])).toContain(path);
});

test('a record that is not there, or not named, is refused', async () => {
  expect(await refusal(['report', '/no/such/record.json'])).toContain('/no/such/record.json');
  expect(await refusal(['report'])).toContain("missing required argument 'files'");
});

test('no command, and an unknown one, end with 2', async () => {
  const none = await command([], { backend: barren() });
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('Usage: ');
  expect(await refusal(['framework'])).toContain("unknown command 'framework'");
});
