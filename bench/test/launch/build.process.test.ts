import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildTargets } from '../../src/launch/build.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeTarget } from '../support/make-record.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();

/** A target whose build is this shell script. */
function building(name: string, script: string, parts: Partial<LocalTarget> = {}): LocalTarget {
  const directory = join(place.folder, name);
  mkdirSync(join(directory, 'server'), { recursive: true });
  const build: LocalTarget['build'] = ['sh', '-c', script];
  return makeTarget(name, { directory, start: ['sh', 'server.sh'], build, ...parts });
}

/** Builds these; returns what was reported. */
async function built(...targets: LocalTarget[]): Promise<string[]> {
  const said: string[] = [];
  await buildTargets(targets, new AbortController().signal, (text) => said.push(text));
  return said;
}

const textOf = (...path: string[]) => readFileSync(join(place.folder, ...path), 'utf8');

test("runs a build in the working folder with the target's environment, and once per folder", async () => {
  const fine = building('fine', 'echo $ANSWER >> built', { cwd: 'server', env: { ANSWER: '42' } });
  const said = await built(makeTarget('none'), fine, { ...fine, name: 'fine-step', env: {} });
  expect(textOf('fine/server/built')).toBe('42\n');
  expect(said).toEqual(['Building fine: sh -c echo $ANSWER >> built']);
});

const FAILING = 'for i in $(seq 100); do echo line $i; done; echo oops >&2; exit 3';
const LAST_LINES =
  /^the build of bad failed: it ended with code 3\nline 72\n(.+\n)*line 100\noops$/;
const script = { start: ['node', 'dist/main.js'] } satisfies Partial<LocalTarget>;
const absent = { build: ['no-such-program', 'x'] } satisfies Partial<LocalTarget>;
test.each([
  ['ends badly, with its last lines', FAILING, {}, LAST_LINES],
  ['is not there', '', absent, /no-such-program.*(not found|Permission denied)/],
  ['leaves no script to start', 'true', script, /^not built: bad$/],
] as const)('refuses a build that %s', async (_, command, parts, message) => {
  const refusal = { name: 'UserError', message: expect.stringMatching(message) };
  await expect(built(building('bad', command, parts))).rejects.toMatchObject(refusal);
});

test('ends an interrupted build with all its processes, and begins no other', async () => {
  const interrupt = new AbortController();
  const long = building('long', 'trap "" TERM; sleep 60 & echo > begun; wait; sleep 60');
  const other = building('other', 'echo > begun');
  const underWay = buildTargets([long, other], interrupt.signal, () => {});
  const begun = () => place.processes().some(({ command }) => command.includes('sleep 60'));
  expect(await eventually(begun, 10_000)).toBe(true);
  interrupt.abort();
  await underWay;
  expect(place.processes()).toEqual([]);
  expect(() => textOf('other/begun')).toThrow('ENOENT');
});
