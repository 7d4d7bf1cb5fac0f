import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fixture } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeRecord } from '../support/make-record.ts';
import { CLI, type Finished, on, start, startCommand, TINY } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
/** Nothing can be started without a temporary folder: who tries ends with 1, not with 2. */
const NOWHERE = { TMPDIR: join(place.folder, 'absent') };

/** Runs the command line to its refusal, which comes before anything is started or saved. */
async function refusal(...args: string[]): Promise<string> {
  return refusalOf(await start(place, args, NOWHERE).finished);
}

afterEach(() => rmSync(out, { force: true }));

function refusalOf({ code, stdout, stderr }: Finished): string {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: /);
  expect(stderr).not.toMatch(/^ +at /m);
  expect(existsSync(out)).toBe(false);
  return stderr;
}

/** A folder of targets, out of the texts of their manifests. */
function packages(name: string, manifests: Record<string, string>): string {
  const folder = join(place.folder, name);
  for (const [target, manifest] of Object.entries(manifests)) {
    mkdirSync(join(folder, target), { recursive: true });
    writeFileSync(join(folder, target, 'package.json'), manifest);
  }
  return folder;
}

const MANIFEST = readFileSync(join(fixture('ok').directory, 'package.json'), 'utf8');
const { bench: BLOCK } = JSON.parse(MANIFEST);
const manifestOf = (changes: object) => JSON.stringify({ bench: { ...BLOCK, ...changes } });

test('where nothing can be started, an accepted run does not end with 2', async () => {
  const run = await start(place, ['verify', ...on(['ok'], 'single')], NOWHERE).finished;
  expect(run.code).toBe(1);
});

test('an unknown target is refused with the known ones', async () => {
  for (const command of ['frameworks', 'cluster', 'verify']) {
    const message = await refusal(command, ...on(['ok', 'no-such-one'], 'single'));
    expect(message).toContain('unknown target "no-such-one"');
    expect(message).toContain('crash-at-once, crash-under-load, ignores-sigterm');
  }
});

test.each([
  { flags: ['--topology', 'double'], says: '"double" is no topology' },
  { flags: ['-c', '0'], says: 'whole number from 1' },
  { flags: ['-d', 'abc'], says: 'number of seconds' },
  { flags: ['-d', '0.2', '--launches', '6'], says: 'too short for 6 launches' },
  { flags: ['--contiguous', '--slice', '1'], says: '--slice has no meaning' },
  { flags: ['--warp', '9'], says: "unknown option '--warp'" },
])('frameworks $flags is refused', async ({ flags, says }) => {
  const message = await refusal('frameworks', ...on(['ok'], 'single'), ...flags, '-o', out);
  expect(message).toContain(says);
});

test('k6 as the driver is refused where it is not on the PATH, with where to get it', async () => {
  const args = ['frameworks', ...on(['ok'], 'single'), '--rate', '5', '--driver', 'k6', '-o', out];
  const run = start(place, args, { ...NOWHERE, PATH: join(place.folder, 'absent') });
  const message = refusalOf(await run.finished);
  expect(message).toContain('k6 is not on the PATH');
  expect(message).toContain('https://grafana.com/docs/k6/');
});

test('a cluster of what is not node is refused', async () => {
  const message = await refusal('verify', ...on(['ok', 'not-node'], '2'));
  expect(message).toContain('not-node starts with "sh"');
});

test('more connections than the file limit allows are refused with the number needed', async () => {
  expect(await withFiles(200, ...on(['ok'], 'single'), '-c', '300')).toContain('364');
});

test('a file limit below what the cost load needs is refused with the number needed', async () => {
  // 100 connections to the server, and to the probe that is dealt with it.
  expect(await withFiles(150, ...on(['ok'], 'single'), ...TINY)).toContain('264');
});

async function withFiles(limit: number, ...args: string[]): Promise<string> {
  const script = `ulimit -n ${limit}; exec "$0" "$@"`;
  const command: [string, ...string[]] = ['sh', '-c', script, process.execPath, CLI, 'frameworks'];
  return refusalOf(await startCommand(place, [...command, ...args, '-o', out], NOWHERE).finished);
}

test.each([
  { what: 'an unknown key', changes: { startt: [] }, says: 'startt' },
  { what: 'no start', changes: { start: undefined }, says: 'bench.start' },
  { what: 'a port out of range', changes: { port: 70_000 }, says: 'bench.port' },
  { what: 'an unknown `over`', changes: { over: 'nobody' }, says: 'bench.over: "nobody"' },
])('a block with $what is refused with the file and the key', async ({ what, changes, says }) => {
  const folder = packages(what.replaceAll(/\W/g, '-'), { broken: manifestOf(changes) });
  const message = await refusal('verify', '--packages', folder);
  expect(message).toContain(join(folder, 'broken/package.json'));
  expect(message).toContain(says);
});

test('a manifest that is no JSON, and folders without targets, are refused', async () => {
  const folder = packages('no-json', { broken: '{ "bench": ' });
  expect(await refusal('verify', '--packages', folder)).toContain('broken/package.json');
  const empty = packages('no-target', { plain: '{}' });
  expect(await refusal('verify', '--packages', empty)).toContain(`no target in ${empty}`);
  expect(await refusal('verify', '--packages', '/no/such/folder')).toContain('/no/such/folder');
});

test('targets that are not built are refused, and how to build them is told', async () => {
  const folder = packages('not-built', { early: manifestOf({}), eager: manifestOf({}) });
  for (const command of ['frameworks', 'verify']) {
    const message = await refusal(command, '--packages', folder, '--topology', 'single');
    expect(message).toContain('not built: eager, early');
    expect(message).toContain('pnpm build');
  }
});

test('a place where no record can be saved is refused before anything runs', async () => {
  const file = join(place.folder, 'a-file');
  writeFileSync(file, '');
  for (const path of [join(file, 'record.json'), place.folder, '/proc/record.json']) {
    const options = [...on(['ok'], 'single'), ...TINY, '--out', path];
    expect(await refusal('frameworks', ...options)).toContain("can't save the record");
  }
});

test('a file that is no record of this version is refused', async () => {
  const files = {
    'text.json': 'no JSON at all',
    'foreign.json': '{"schema":"another.tool","version":1}',
    'list.json': '[1, 2, 3]',
    'older.json': '{"schema":"overhead.run","version":1}',
    'newer.json': '{"schema":"overhead.run","version":1000}',
    'damaged.json': JSON.stringify({ ...makeRecord({}, () => null), slices: 7 }),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(place.folder, name);
    writeFileSync(path, text);
    expect(await refusal('report', path)).toContain(path);
  }
  expect(await refusal('report', '/no/such/record.json')).toContain('/no/such/record.json');
  expect(await refusal('report')).toContain("missing required argument 'files'");
});

test('no command, and an unknown one, end with 2', async () => {
  const none = await start(place, [], NOWHERE).finished;
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('Usage: ');
  expect(await refusal('framework')).toContain("unknown command 'framework'");
});
