/** What is refused before anything is started, printed or saved: exit code 2, and what to do instead. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Backend } from '../../src/run/backend.ts';
import { command } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { simulatedBackend, type World } from '../support/simulated/backend.ts';
import { of } from '../support/simulated-run.ts';
import { TINY } from './harness.ts';

const FRAMEWORKS = `frameworks ${of('ok')}`;
const SEVERAL = join(FIXTURES, 'several-requests');

const folder = folderOfEach({ isCwd: true });

/** A machine on which nothing can be started: who tries ends with 1, not with 2. */
function barren(world: World = {}): Backend {
  const refuse = () => {
    throw new Error('something is started');
  };
  return { ...simulatedBackend(world), startLaunches: refuse, startGenerator: refuse };
}

async function refusal(line: string, world: World = {}): Promise<string> {
  const out = join(folder.path, 'record.json');
  const saves = line.startsWith('frameworks') && !line.includes('--out');
  const asked = saves ? `${line} --out '${out}'` : line;
  const { code, stdout, stderr } = await command(asked, { backend: barren(world) });
  expect(existsSync(out)).toBe(false);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: /);
  expect(stderr).not.toMatch(/^ +at /m);
  return stderr;
}

test('where nothing can be started, an accepted run does not end with 2', async () => {
  const run = await command(`verify ${of('ok')}`, { backend: barren() });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('something is started');
});

const UNKNOWN = [
  'unknown target "no-such-one"',
  'crash-at-once, crash-under-load, ignores-sigterm',
];
test.each<[string, string, string[]]>([
  ['an unknown target of a run', `frameworks ${of('ok,no-such-one')}`, UNKNOWN],
  ['an unknown target of `verify`', `verify ${of('ok,no-such-one')}`, UNKNOWN],
  ['a cluster of what is not node', `verify ${of('not-node', '2')}`, ['starts with "sh"']],
  ['a folder that is not there', 'verify --packages /no/such', ['/no/such']],
  ['a record that is not there', 'report /no/such/record.json', ['/no/such/record.json']],
  ['a run of no server', 'run', ['no server is named', 'Give commands in quotes']],
  ['a server elsewhere', 'run --url http://192.0.2.1', ['not on this machine', '--allow-remote']],
  ['a variable without a value', 'run x --env NOT', ['NOT is not set here', '--env NOT=VALUE']],
  ['one side', "ab 'node a.js'", ['nothing to compare it with']],
  ['versions of several sides', 'ab x y --with z@1', ['Name one server alone']],
  ['sides that are asked other things', `ab x '${SEVERAL}'`, ['asked something']],
])('%s', async (_, line, says) => {
  const message = await refusal(line);
  for (const text of says) expect(message).toContain(text);
});

test('k6 as the driver, where it is not on the PATH', async () => {
  vi.stubEnv('PATH', folder.path);
  const message = await refusal(`${FRAMEWORKS} --rate 5 --driver k6`);
  expect(message).toContain('k6 is not on the PATH');
  expect(message).toContain('https://grafana.com/docs/k6/');
});

test('a file limit below what connections need, to the server and to its probe', async () => {
  const machine = { fileLimit: 150 };
  expect(await refusal(`${FRAMEWORKS} ${TINY}`, { machine })).toContain('264');
});

test.each(['frameworks', 'verify'])('targets that are not built, of %s', async (name) => {
  const bench = {
    ...{ suite: 'frameworks', label: 'Early', start: ['node', 'dist/main.js'], port: 3999 },
    ...{ request: { method: 'GET', path: '/' }, expect: { status: 200, body: '' } },
  };
  for (const target of ['early', 'eager']) folder.write(`${target}/package.json`, { bench });
  const message = await refusal(`${name} --packages '${folder.path}' --topology single`);
  expect(message).toContain('not built: eager, early');
  expect(message).toContain('pnpm build');
});

test('a place where no record can be saved', async () => {
  const file = folder.write('a-file', '');
  for (const path of [join(file, 'record.json'), folder.path, '/proc/record.json']) {
    const message = await refusal(`${FRAMEWORKS} ${TINY} --out '${path}'`);
    expect(message).toContain("can't save the record");
  }
});
