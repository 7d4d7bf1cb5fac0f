/** Servers that the command line names: what is asked for, on servers that are not there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { simulate } from '../support/command.ts';
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

// What may be a secret is in no record.
const body = { encoding: 'utf8', data: '…' };
const request = { method: 'POST', path: '/x?y=1', headers: { 'x-tag': '…' }, body };
const SENT = { requests: [{ request, expect: { status: 404 } }] };
const POSTING = "'node a.js' --path /x?y=1 --header 'x-tag: a' --body höher --status 404";
const WORDS = { start: ['node', 'my app.js', '--port', '1'] };
const MAIN = { label: 'mine', start: ['node', 'dist/my main.js'] };
test.each<[string, string, object[], launches?: number]>([
  [
    'the floor, with a name of its own beside a server of the same',
    "'node a.js' --name node:http",
    [{ label: 'the floor' }, { label: 'node:http' }],
  ],
  ['a command after --, word by word', "--no-floor -- node 'my app.js' --port 1", [WORDS]],
  ['a folder with a start script, from where the user stands', './mine --no-floor', [MAIN]],
  ['a POST with what is asked for', POSTING, [SENT, SENT]],
  // Nobody can start it anew.
  ['what is up, once', '--url http://127.0.0.1:1 --no-floor', [{ label: '127.0.0.1:1' }], 1],
])('what is measured is %s: %s', async (_, line, targets, launches = 2) => {
  folder.write('mine/package.json', { scripts: { start: 'node "dist/my main.js"' } });
  const { record } = await run(line);
  expect(record.targets).toMatchObject(targets);
  expect(record.plan.launches).toHaveLength(launches);
});

test('a folder with a bench block is asked what that declares, and its floor too', async () => {
  const { stderr, record } = await run(`'${join(FIXTURES, 'several-requests')}'`);
  expect(stderr).toContain(' declares: ');
  const [floor, server] = record.targets.map(({ requests }) => requests);
  expect(server).toHaveLength(4);
  expect(floor?.map(({ request }) => request)).toEqual(server?.map(({ request }) => request));
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
