/** Saved runs that are compared, of servers that are not there. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command, simulate } from '../support/command.ts';
import type { World } from '../support/simulated/backend.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const AMOUNTS = ['-d', '1.2', '--slice', '0.2', '--launches', '6', '--warmup', '2', '--seed', '1'];

let folder: TemporaryFolder;
const at = (name: string) => join(folder.path, `${name}.json`);

/** Saves a run of a server beside its floor, each of which costs so much of a request, ns. */
async function save(
  name: string,
  floorNs: number,
  ownNs: number,
  more: string[] = [],
  its: World = {},
) {
  const server = (target: string) => ({ cpuNs: target === 'floor' ? floorNs : ownNs });
  const world = { seed: floorNs + ownNs, generator: { noise: 0.01 }, server, ...its };
  const { code } = await simulate(
    ['run', 'node a.js', ...AMOUNTS, '-c', '50', '-p', '1', ...more, '--out', at(name)],
    world,
  );
  expect(code).toBe(0);
}

const compared = (...args: string[]) => command(['compare', ...args]);
const rowOf = (stdout: string, label: string) => {
  return stdout.split('\n').find((line) => line.startsWith(`${label} `));
};

beforeAll(async () => {
  folder = temporaryFolder();
  await save('old', 10_000, 30_000);
  await save('dearer', 10_000, 36_000);
  await save('drifted', 12_000, 36_000);
  await save('bare', 10_000, 30_000, ['--no-floor']);
  await save('fewer', 10_000, 30_000, ['-c', '20']);
  await save('elsewhere', 10_000, 30_000, [], { machine: { cpuModel: 'Another CPU' } });
});
afterAll(() => folder[Symbol.dispose]());

test('a server that costs more than before is slower, where the floor stays', async () => {
  const { code, stdout } = await compared(at('old'), at('dearer'));
  expect(code).toBe(0);
  expect(rowOf(stdout, 'node a.js')).toMatch(/\+(19|20|21).*slower$/);
  expect(rowOf(stdout, 'node:http')).toContain('shows the drift');
  expect(stdout).toContain('the machine may have changed in between');
});

test('nothing is more certain than how far the floor has moved', async () => {
  const { stdout } = await compared(at('old'), at('drifted'));
  expect(rowOf(stdout, 'node a.js')).toContain("can't tell");
});

test('without a floor there is no verdict', async () => {
  const { stdout } = await compared(at('bare'), at('bare'));
  expect(rowOf(stdout, 'node a.js')).toContain("can't tell");
  expect(stdout).toContain('There is no floor in both records');
});

test('what was not measured alike is refused, with what differs; --force stamps what it prints', async () => {
  const machine = await compared(at('old'), at('elsewhere'));
  expect(machine).toMatchObject({ code: 2, stdout: '' });
  expect(machine.stderr).toContain('machine, cpuModel: "Synthetic CPU" and "Another CPU"');
  const load = await compared(at('old'), at('fewer'));
  expect(load.stderr).toContain('load load, connections: 50 and 20');
  const forced = await compared(at('old'), at('fewer'), '--force', '--format', 'markdown');
  expect(forced.code).toBe(0);
  expect(forced.stdout).toContain(
    'compared all the same (--force): load load, connections: 50 and 20.',
  );
});

test.each([
  ['one record', ['old'], 'name two records'],
  ['three', ['old', 'old', 'old'], 'name two records'],
])('%s is no comparison', async (_what, names, says) => {
  const { code, stderr } = await compared(...names.map(at));
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});
