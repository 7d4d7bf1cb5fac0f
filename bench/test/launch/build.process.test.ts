import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { buildTargets } from '../../src/launch/build.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeTarget } from '../support/make-record.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();
const NEVER = new AbortController().signal;

/** A target whose build is this script of a shell. */
function building(name: string, script: string, parts: Partial<LocalTarget> = {}): LocalTarget {
  const directory = join(place.folder, name);
  mkdirSync(directory, { recursive: true });
  return makeTarget(name, {
    directory,
    start: ['sh', 'server.sh'],
    build: ['sh', '-c', script],
    ...parts,
  });
}

async function problemOf(target: LocalTarget): Promise<UserError> {
  try {
    await buildTargets([target], NEVER, () => {});
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('it was built');
}

test('builds in the working folder, with what the target declares in its environment', async () => {
  const target = building('fine', 'echo $ANSWER > built', { cwd: 'server', env: { ANSWER: '42' } });
  mkdirSync(join(target.directory, 'server'));
  const said: string[] = [];
  await buildTargets([makeTarget('none'), target], NEVER, (text) => said.push(text));
  expect(readFileSync(join(target.directory, 'server', 'built'), 'utf8')).toBe('42\n');
  expect(said).toEqual(['Building fine: sh -c echo $ANSWER > built']);
});

test('a build that fails is told with its last lines', async () => {
  const target = building(
    'bad',
    'for i in $(seq 100); do echo line $i; done; echo oops >&2; exit 3',
  );
  const { message, next } = await problemOf(target);
  expect(message).toMatch(/^the build of bad failed: it ended with code 3\nline 72\n/);
  expect(message).toMatch(/\nline 100\noops$/);
  expect(next).toContain(target.directory);
});

test('a build whose program is not there is told as such', async () => {
  const target = building('absent', '', { build: ['no-such-program', 'x'] });
  expect((await problemOf(target)).message).toMatch(
    /no-such-program.*(not found|Permission denied)/,
  );
});

test('a build that leaves no script to start is a failure', async () => {
  const target = building('idle', 'true', { start: ['node', 'dist/main.js'] });
  expect((await problemOf(target)).message).toBe('not built: idle');
  writeFileSync(join(target.directory, 'main.js'), '');
  await buildTargets([{ ...target, start: ['node', 'main.js'] }], NEVER, () => {});
});

test('a folder is built once, whatever targets come of it', async () => {
  const target = building('ladder', 'echo built >> built');
  const variant = { ...target, name: 'ladder-step', env: { STEP: '1' } };
  await buildTargets([target, variant], NEVER, () => {});
  expect(readFileSync(join(target.directory, 'built'), 'utf8')).toBe('built\n');
});

test('an interrupted build ends at once with all that it started, and no other begins', async () => {
  const interrupt = new AbortController();
  const target = building('long', 'trap "" TERM; sleep 60 & echo > begun; wait; sleep 60');
  const other = building('other', 'echo > begun');
  const built = buildTargets([target, other], interrupt.signal, () => {});
  const begun = () => place.processes().some(({ command }) => command.includes('sleep 60'));
  expect(await eventually(begun, 10_000)).toBe(true);
  interrupt.abort();
  await built;
  expect(place.processes()).toEqual([]);
  expect(() => readFileSync(join(other.directory, 'begun'))).toThrow('ENOENT');
});
