import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { HOST } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import { onPath } from '../../src/system/on-path.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { type Finished, recordIn, start, TINY } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');

const odd = (...way: string[]) => ['node', join(FIXTURES, 'odd.mjs'), ...way].join(' ');
/** One cell of a server that is as quick as may be. */
const SMALL = [...TINY, '-p', '1', '--out', out];

function run(args: string[], environment: Record<string, string> = {}): Promise<Finished> {
  return start(place, ['run', ...args], environment).finished;
}

/** What it says of a server that it can't measure; nothing is saved then. */
async function refusal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).not.toMatch(/^ +at /m);
  return stderr;
}

test('two commands are measured beside a floor that sends the same answer', async () => {
  const { code, stdout, stderr } = await run([
    odd('plain'),
    odd('counts'),
    '--name',
    'one',
    ...SMALL,
  ]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(stderr).toContain('one: learnt: 200, text/plain, 12 bytes, always the same');
  expect(stderr).toContain('7 bytes, always as long; compared by that');
  const record = recordIn(out);
  expect(record.targets.map(({ label }) => label)).toEqual(['node:http', 'one', odd('counts')]);
  expect(record.targets.map(({ over }) => over)).toEqual([null, 'floor', 'floor']);
  expect(record.failures).toEqual([]);
  expect(stdout).toMatch(/^one .* node:http /m);
});

test('a command after -- is taken word by word, and --no-floor leaves the floor out', async () => {
  const command = ['node', join(FIXTURES, 'odd.mjs'), 'plain'];
  const { code } = await run([...SMALL, '--no-floor', '--', ...command]);
  expect(code).toBe(0);
  expect(recordIn(out).targets.map(({ start: words }) => words)).toEqual([command]);
});

test('a folder with a start script is a server, from where the user stands', async () => {
  const folder = join(place.folder, 'mine');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: odd('plain') } }));
  const { code } = await run(['./mine', '--no-floor', ...SMALL], { INIT_CWD: place.folder });
  expect(code).toBe(0);
  expect(recordIn(out).targets.map(({ label }) => label)).toEqual(['mine']);
});

test('of the environment servers have what is let through', async () => {
  const told = ['--env', 'TOLD', '--env', 'UNTOLD=no'];
  const { stderr } = await run([odd('environment'), ...told, '--no-floor', ...SMALL], {
    TOLD: 'yes',
  });
  expect(stderr).toContain('6 bytes');
  const [target] = recordIn(out).targets;
  const bytes = { encoding: 'utf8', data: 'yes no' };
  expect(target?.env).toEqual({});
  expect(target?.requests[0]?.expect.body).toEqual({ kind: 'bytes', bytes });
  expect(await refusal(odd('environment'), '--env', 'ABSENT')).toContain('ABSENT is not set here');
});

test.each(['all-addresses', 'only-ipv6', 'leaves'])('a server that %s is measured', async (way) => {
  const { code, stderr } = await run([odd(way), '--no-floor', ...SMALL]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(recordIn(out).slices.every(({ measurement }) => measurement.window.ok > 0)).toBe(true);
});

test('servers that insist on one port are measured in turns of whole launches', async () => {
  const port = String(await freePort(HOST));
  const { code, stdout } = await run([
    odd('own-port', port),
    `${odd('own-port', port)} again`,
    ...SMALL,
  ]);
  expect(code).toBe(0);
  const { plan, failures } = recordIn(out);
  expect(failures).toEqual([]);
  expect(plan.groups).toHaveLength(2);
  // Where the line breaks depends on how long the path of the clone is.
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`insist on port ${port}`);
});

test('an answer of any length is compared by its status', async () => {
  const { stderr, code } = await run([odd('grows'), '--no-floor', ...SMALL]);
  expect(code).toBe(0);
  expect(stderr).toContain('of any length; compared by status');
});

test('what is sent is what was asked for, and is a POST where it has a body', async () => {
  const sent = ['--path', '/x?y=1', '--header', 'x-tag: a', '--body', 'höher'];
  const { code } = await run([odd('echoes'), ...sent, ...SMALL]);
  expect(code).toBe(0);
  const { targets, slices } = recordIn(out);
  const data = 'POST /x?y=1 a höher';
  for (const { requests } of targets) {
    expect(requests[0]?.expect.body).toEqual({ kind: 'bytes', bytes: { encoding: 'utf8', data } });
  }
  expect(slices.every(({ measurement }) => measurement.ledger.wrongBody === 0)).toBe(true);
});

test('a folder with a bench block is asked what that declares', async () => {
  const { code, stderr } = await run([join(FIXTURES, 'several-requests'), ...SMALL]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(stderr).toContain('declared: ');
  const { targets, slices } = recordIn(out);
  const [floor, server] = targets.map(({ requests }) => requests);
  expect(server?.length).toBeGreaterThan(1);
  // The floor gives each request its own answer.
  expect(floor?.map(({ request }) => request)).toEqual(server?.map(({ request }) => request));
  const wrong = slices.map(({ measurement: { ledger } }) => ledger.wrongBody + ledger.wrongStatus);
  expect(Math.max(...wrong)).toBe(0);
});

test('servers are measured at a rate too', async () => {
  const rate = ['--rate', '50', '-d', '1', '--slice', '0.5', '--launches', '1', '--warmup', '0'];
  const { code, stdout } = await run([odd('plain'), ...rate, '--out', out]);
  expect(code).toBe(0);
  expect(stdout).toContain('At 50 requests/s');
});

test('a status that is asked for is measured', async () => {
  const { code } = await run([odd('missing'), '--status', '404', '--no-floor', ...SMALL]);
  expect(code).toBe(0);
});

test.each([
  { way: ['redirects'], says: 'it redirects (302) to /elsewhere', next: '--status 302' },
  { way: ['missing'], says: 'it answers with status 404', next: '--path' },
  { way: ['one-host'], says: 'it answers only to the host name "localhost"', next: '127.0.0.1' },
  { way: ['closes'], says: 'it closes every connection', next: 'keep connections alive' },
  { way: ['large', '17000000'], says: 'its answer has 17 MB, and 16 MB', next: '--path' },
  { way: ['ends'], says: 'no configuration', next: 'PORT and HOST' },
])('a server that $way.0 is refused with what to do', async ({ way, says, next }) => {
  const message = await refusal(odd(...way));
  expect(message).toContain(says);
  expect(message).toContain(next);
});

test('a server that is silent is given up', async () => {
  expect(await refusal(odd('silent'))).toContain('it gave no answer within 10 s');
});

test('Ctrl-C while a server is asked ends it with nothing left', async () => {
  const harness = start(place, ['run', odd('silent')]);
  const isServer = (command: string) => command.includes('odd.mjs') && !command.includes('cli.ts');
  const isAsked = () => place.processes().some(({ command }) => isServer(command));
  await eventually(isAsked, 30_000);
  harness.signal('SIGINT');
  const { code, stdout, stderr } = await harness.finished;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).not.toContain('defect');
});

test('a server that never listens is given up', async () => {
  expect(await refusal(odd('never-listens'))).toContain('it accepted no connection within 15 s');
});

test('what is no command, no folder with a start script, or nothing is refused', async () => {
  expect(await refusal('no-such-program-here server.js')).toContain('there is no program');
  expect(await refusal(FIXTURES)).toContain('has no "start" script');
  expect(await refusal()).toContain('no server');
});

test.skipIf(!onPath('openssl'))('a server that speaks TLS is refused', async () => {
  const [key, cert] = ['key', 'cert'].map((name) => join(place.folder, `${name}.pem`));
  const subject = ['-nodes', '-subj', '/CN=x', '-days', '1'];
  await execa('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    ...subject,
    '-keyout',
    key ?? '',
    '-out',
    cert ?? '',
  ]);
  const main = join(place.folder, 'tls.mjs');
  const text = (path = '') => JSON.stringify(readFileSync(path, 'utf8'));
  writeFileSync(
    main,
    `import { createServer } from 'node:https';
createServer({ key: ${text(key)}, cert: ${text(cert)} }, (_, response) => response.end()).listen(process.env.PORT);`,
  );
  expect(await refusal(`node ${main}`)).toContain('it speaks TLS');
});

test('a server that is up is measured without what nobody can know', async () => {
  const server = createServer((_, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  try {
    const url = `http://${HOST}:${port}`;
    const blind = await run(['--url', url, '--no-floor', ...SMALL]);
    expect(blind.code).toBe(0);
    expect(recordIn(out).plan.launches).toHaveLength(1);
    expect(blind.stdout).toMatch(new RegExp(`^${HOST}:${port} +[0-9,]+ ±\\? +– `, 'm'));
    const seen = await run(['--url', url, '--pid', String(process.pid), '--no-floor', ...SMALL]);
    expect(seen.code).toBe(0);
    expect(recordIn(out).slices[0]?.measurement.cpu.server.cpuNs).toBeGreaterThan(0);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('an address elsewhere is refused, and says what would be sent', async () => {
  const message = await refusal('--url', 'http://192.0.2.1:80');
  expect(message).toContain('http://192.0.2.1 is not on this machine');
  expect(message).toContain('--allow-remote');
});
