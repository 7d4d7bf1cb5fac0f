/** Servers that the command line names: what is asked for, on servers that are not there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command, simulate } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { simulateRun, simulateWell } from '../support/simulated-run.ts';

const folder = folderOfEach({ isCwd: true });

const SMALL = '-d 2 --slice 0.5 --launches 2 --warmup 0.2 --seed 1';
/** A run of these servers that goes well, with other options. */
const run = (line: string) => simulateWell(`run ${SMALL} ${line}`);

test('commands are measured beside a floor that sends the same answer', async () => {
  const { stdout, stderr, record } = await run("'node a.js' 'node b.js' --name one");
  expect(stderr).toContain('one answers: 200, 12 bytes, always the same');
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
  const { record } = await run("'node a.js' --name node:http");
  expect(record.targets.map(({ label }) => label)).toEqual(['the floor', 'node:http']);
});

test('a command after -- is taken word by word, and --no-floor leaves the floor out', async () => {
  const { record } = await run("--no-floor -- node 'my server.js' --port 1");
  expect(record.targets).toMatchObject([{ start: ['node', 'my server.js', '--port', '1'] }]);
});

test('a folder with a start script is a server, from where the user stands', async () => {
  folder.write('mine/package.json', { scripts: { start: 'node "dist/my main.js"' } });
  const { record } = await run('./mine --no-floor');
  expect(record.targets).toMatchObject([{ label: 'mine', start: ['node', 'dist/my main.js'] }]);
});

test('a folder with a bench block is asked what that declares, and its floor too', async () => {
  const { stderr, record } = await run(`'${join(FIXTURES, 'several-requests')}'`);
  expect(stderr).toContain(' declares: ');
  const [floor, server] = record.targets.map(({ requests }) => requests);
  expect(server).toHaveLength(4);
  expect(floor?.map(({ request }) => request)).toEqual(server?.map(({ request }) => request));
});

test('what is sent is what was asked for, and is a POST where it has a body', async () => {
  const sent = "--path /x?y=1 --header 'x-tag: a' --body höher --status 404";
  const { record } = await run(`'node a.js' ${sent}`);
  // What may be a secret is in no record.
  const body = { encoding: 'utf8', data: '…' };
  const request = { method: 'POST', path: '/x?y=1', headers: { 'x-tag': '…' }, body };
  const requests = [{ request, expect: { status: 404 } }];
  expect(record.targets).toMatchObject([{ requests }, { requests }]);
});

test('a server that is up is measured in one launch, since nobody can start it anew', async () => {
  const { record } = await run('--url http://127.0.0.1:1 --no-floor');
  expect(record.targets.map(({ label }) => label)).toEqual(['127.0.0.1:1']);
  expect(record.plan.launches).toHaveLength(1);
});

test('where it is not on this machine, what it is sent is said before', async () => {
  const { stderr } = await run('--url http://192.0.2.1:80 --allow-remote --path /a');
  const to = 'Sending GET /a to http://192.0.2.1';
  expect(stderr.startsWith(`${to}, one at a time, to see what it answers.\n`)).toBe(true);
  expect(stderr.split('\n')).toContainEqual(
    expect.stringMatching(/^Sending GET \/a to \S+: up to [\d,]+ requests at a time, /),
  );
});

test('a server that other machines can reach is named once', async () => {
  const { stderr } = await simulateRun(`run 'node a.js' --no-floor ${SMALL}`, { isExposed: true });
  const says = 'node a.js listens on port 20000 for other machines too, not only on 127.0.0.1.';
  expect(stderr.split(says)).toHaveLength(2);
});

test.each<[string, string, string[]]>([
  ['nothing', '', ['error: no server is named', 'Give commands in quotes']],
  [
    'an address elsewhere',
    '--url http://192.0.2.1:80',
    ['http://192.0.2.1 is not on this machine', '--allow-remote'],
  ],
  [
    'a variable that is not set',
    "'node a.js' --env ABSENT_HERE",
    ['ABSENT_HERE is not set here', '--env ABSENT_HERE=VALUE'],
  ],
])('a command line that names nothing to measure is refused: %s', async (_what, line, says) => {
  const { code, stdout, stderr } = await command(`run ${line}`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const text of says) expect(stderr).toContain(text);
  expect(stderr).not.toContain('defect');
});

test('neither a record nor its page has what is given in headers, bodies, users of addresses and variables', async () => {
  const sent = `--header 'authorization: planted' --body planted --out '${folder.path}/run.json'`;
  const started = await simulate(`run 'node server.js' --env KEY=planted ${sent}`);
  const up = await simulate(`run --url http://me:planted@127.0.0.1:9 ${sent}`);
  expect([started.code, up.code], started.stderr + up.stderr).toEqual([0, 0]);
  const [record = '', page = ''] = ['run.json', 'run.html'].map((name) => {
    return readFileSync(join(folder.path, name), 'utf8');
  });
  const printed = [started, up].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  for (const text of [record, page, ...printed]) expect(text).not.toContain('planted');
  expect(record).toContain('"headers":{"authorization":"…"}');
  expect(record).toContain('http://…@127.0.0.1:9');
});
