/** Servers that the command line names: what is asked for, on servers that are not there. */
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { command, simulate } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectAnswers, recordIn } from './harness.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const SMALL = ['-d', '2', '--slice', '0.5', '--launches', '2', '--warmup', '0.2', '--seed', '1'];

/** What is said of a command line that nothing can be measured by. */
async function refusal(...args: string[]): Promise<string> {
  const run = await command(['run', ...args]);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).not.toContain('defect');
  return run.stderr;
}

test('commands are measured beside a floor that sends the same answer', async () => {
  const { code, stdout, stderr, record } = await simulateRun([
    ...['run', 'node a.js', 'node b.js', '--name', 'one', ...SMALL],
  ]);
  expect(code).toBe(0);
  expectAnswers(record);
  expect(stderr).toContain('one: learnt: 200, 12 bytes, always the same');
  expect(record.targets.map(({ label, over }) => [label, over])).toEqual([
    ['node:http', null],
    ['one', 'floor'],
    ['node b.js', 'floor'],
  ]);
  const asked = record.targets.map(({ requests }) => requests);
  expect(asked[0]).toEqual(asked[1]);
  expect(stdout).toMatch(/^one .* node:http /m);
});

test('the floor has a name of its own beside a server of the same', async () => {
  const { record } = await simulateRun(['run', 'node a.js', '--name', 'node:http', ...SMALL]);
  expect(record.targets.map(({ label }) => label)).toEqual(['the floor', 'node:http']);
});

test('a command after -- is taken word by word, and --no-floor leaves the floor out', async () => {
  using folder = temporaryFolder();
  const out = join(folder.path, 'record.json');
  const words = ['node', 'my server.js', '--port', '1'];
  const { code } = await simulate(['run', ...SMALL, '--out', out, '--no-floor', '--', ...words]);
  expect(code).toBe(0);
  expect(recordIn(out).targets.map(({ start }) => start)).toEqual([words]);
});

test('a folder with a start script is a server, from where the user stands', async () => {
  using folder = temporaryFolder();
  folder.write('mine/package.json', { scripts: { start: 'node "dist/my main.js"' } });
  vi.stubEnv('INIT_CWD', folder.path);
  const { record } = await simulateRun(['run', './mine', '--no-floor', ...SMALL]);
  expect(record.targets).toMatchObject([{ label: 'mine', start: ['node', 'dist/my main.js'] }]);
});

test('a folder with a bench block is asked what that declares, and its floor too', async () => {
  const { code, stderr, record } = await simulateRun([
    ...['run', join(FIXTURES, 'several-requests'), ...SMALL],
  ]);
  expect(code).toBe(0);
  expect(stderr).toContain('declared: ');
  const [floor, server] = record.targets.map(({ requests }) => requests);
  expect(server).toHaveLength(4);
  expect(floor?.map(({ request }) => request)).toEqual(server?.map(({ request }) => request));
});

test('what is sent is what was asked for, and is a POST where it has a body', async () => {
  const sent = ['--path', '/x?y=1', '--header', 'x-tag: a', '--body', 'höher', '--status', '404'];
  const { record } = await simulateRun(['run', 'node a.js', ...sent, ...SMALL]);
  // What may be a secret is in no record.
  const body = { encoding: 'utf8', data: '…' };
  const request = { method: 'POST', path: '/x?y=1', headers: { 'x-tag': '…' }, body };
  expect(record.targets).toHaveLength(2);
  for (const { requests } of record.targets) {
    expect(requests).toMatchObject([{ request, expect: { status: 404 } }]);
  }
});

test('servers are measured at a rate too', async () => {
  const rate = ['--rate', '50', '-d', '2', '--slice', '0.5', '--launches', '2', '--warmup', '0'];
  const { code, stdout, record } = await simulateRun(['run', 'node a.js', ...rate]);
  expect(code).toBe(0);
  expectAnswers(record);
  expect(stdout).toContain('At 50 requests/s');
});

test('a server that is up is measured in one launch, since nobody can start it anew', async () => {
  const { code, record } = await simulateRun([
    ...['run', '--url', 'http://127.0.0.1:1', '--no-floor', ...SMALL],
  ]);
  expect(code).toBe(0);
  expect(record.targets.map(({ label }) => label)).toEqual(['127.0.0.1:1']);
  expect(record.plan.launches).toHaveLength(1);
});

test('where it is not on this machine, what it is sent is said before', async () => {
  const { stderr } = await simulateRun([
    ...['run', '--url', 'http://192.0.2.1:80', '--allow-remote', '--path', '/a', ...SMALL],
  ]);
  const [first = '', ...rest] = stderr.split('\n');
  expect(first).toBe('Sending GET /a to http://192.0.2.1, one at a time, to see what it answers.');
  expect(rest.join(' ')).toMatch(
    /Sending GET \/a to http:\/\/192.0.2.1: up to [\d,]+ requests at a time, /,
  );
});

test('a server that other machines can reach is named once', async () => {
  const { stderr } = await simulateRun(['run', 'node a.js', '--no-floor', ...SMALL], {
    isExposed: true,
  });
  const says = 'node a.js listens on port 20000 for other machines too, not only on 127.0.0.1.';
  expect(stderr.split(says)).toHaveLength(2);
});

describe('a command line that names nothing to measure is refused:', () => {
  test.each<[string, string[], string[]]>([
    ['nothing', [], ['error: no server', 'Name some']],
    ['a folder without a start script', [FIXTURES], ['has no "start" script']],
    [
      'an address elsewhere',
      ['--url', 'http://192.0.2.1:80'],
      ['http://192.0.2.1 is not on this machine', '--allow-remote'],
    ],
    [
      'a variable that is not set',
      ['node a.js', '--env', 'ABSENT_HERE'],
      ['ABSENT_HERE is not set here', '--env ABSENT_HERE=VALUE'],
    ],
  ])('%s', async (_what, args, says) => {
    const message = await refusal(...args);
    for (const text of says) expect(message).toContain(text);
  });
});
