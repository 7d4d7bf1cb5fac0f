/** Builds that targets declare, which shells carry out. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { start } from './harness.ts';

const place = ownPlace();

/** A folder of this name with a target that this script builds, and whose server ends at once. */
function building(name: string, script: string): string {
  const folder = join(place.folder, name);
  const bench = {
    ...{ suite: 'frameworks', label: 'App', port: 3999 },
    ...{ build: ['sh', '-c', script], start: ['sh', '-c', 'exit 7'] },
    ...{ request: { method: 'GET', path: '/' }, expect: { status: 200, body: '' } },
  };
  mkdirSync(join(folder, 'app'), { recursive: true });
  writeFileSync(join(folder, 'app', 'package.json'), JSON.stringify({ bench }));
  return folder;
}

test('a build runs once before each command, and its failure is told with its output', async () => {
  const folder = building('fails', 'echo built >> log; echo compiling; test -e fine');
  const targets = `--packages '${folder}' --topology single`;
  for (const asked of ['verify', `frameworks --out '${folder}/record.json'`]) {
    const run = await command(`${asked} ${targets}`);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('the build of app failed: it ended with code 1\ncompiling\n');
  }
  writeFileSync(join(folder, 'app', 'fine'), '');
  const run = await command(`verify ${targets}`);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('Building app: sh -c') });
  expect(run.stdout).toContain('it ended with code 7 while starting');
  expect(readFileSync(join(folder, 'app', 'log'), 'utf8')).toBe('built\n'.repeat(3));
});

test.each([
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGKILL', code: undefined },
] as const)('a build leaves nothing behind after $signal', async ({ signal, code }) => {
  const folder = building(`long-${signal}`, 'trap "" INT TERM; sleep 61 & sleep 61; sleep 61');
  const harness = start(place, ['verify', '--packages', folder, '--topology', 'single']);
  const sleeps = () => place.processes().filter(({ command }) => command.includes('sleep 61'));
  expect(await eventually(() => sleeps().length >= 2, 20_000)).toBe(true);
  harness.signal(signal);
  expect((await harness.finished).code).toBe(code);
  await place.untilEmpty(10_000);
});
