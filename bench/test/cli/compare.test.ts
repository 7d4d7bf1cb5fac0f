/** Saved runs that are compared, of servers that are not there. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command, simulate } from '../support/command.ts';
import type { World } from '../support/simulated/backend.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const AMOUNTS = '-d 1.2 --slice 0.2 --launches 6 --warmup 2 --seed 1 -c 50 -p 1';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const at = (name: string) => join(folder.path, `${name}.json`);

/** Saves a run of a server beside its floor, each of which costs so much of a request, ns. */
async function save(name: string, floorNs: number, ownNs: number, more = '', its: World = {}) {
  const server = (target: string) => ({ cpuNs: target === 'floor' ? floorNs : ownNs });
  const world = { seed: floorNs + ownNs, generator: { noise: 0.01 }, server, ...its };
  const { code } = await simulate(`run 'node a.js' ${AMOUNTS} ${more} --out '${at(name)}'`, world);
  expect(code).toBe(0);
}

/** What comes of comparing saved runs, with the rows of its table by what they begin with. */
async function compared(names: string, ...options: string[]) {
  const run = await command(['compare', ...names.split(' ').map(at), ...options]);
  const rowOf = (label: string) => {
    return run.stdout.split('\n').find((line) => line.startsWith(`${label} `));
  };
  return { ...run, rowOf };
}

beforeAll(async () => {
  await save('old', 10_000, 30_000);
  await save('dearer', 10_000, 36_000);
  await save('drifted', 12_000, 36_000);
  await save('bare', 10_000, 30_000, '--no-floor');
  await save('fewer', 10_000, 30_000, '-c 20');
  await save('elsewhere', 10_000, 30_000, '', { machine: { cpuModel: 'Another CPU' } });
});

test('a server that costs more than before is slower, where the floor stays', async () => {
  const { code, stdout, rowOf } = await compared('old dearer');
  expect(code).toBe(0);
  expect(rowOf('node a.js')).toMatch(/\+(19|20|21).*slower$/);
  expect(rowOf('node:http')).toContain('shows the drift');
  expect(stdout).toContain('the machine may have changed in between');
});

test('nothing is more certain than how far the floor has moved', async () => {
  expect((await compared('old drifted')).rowOf('node a.js')).toContain("can't tell");
});

test('without a floor there is no verdict', async () => {
  const { stdout, rowOf } = await compared('bare bare');
  expect(rowOf('node a.js')).toContain("can't tell");
  expect(stdout).toContain('The two runs have no floor in common');
});

test('what was not measured alike is refused, with what differs; --force says it on what it prints', async () => {
  const machine = await compared('old elsewhere');
  expect(machine).toMatchObject({ code: 2, stdout: '' });
  expect(machine.stderr).toContain('machine, cpuModel: "Synthetic CPU" and "Another CPU"');
  const load = 'load load, connections: 50 and 20';
  expect((await compared('old fewer')).stderr).toContain(load);
  const forced = await compared('old fewer', '--force', '--format', 'markdown');
  expect(forced.code).toBe(0);
  expect(forced.stdout).toContain(`Not the same in both runs, but compared (--force): ${load}.`);
});

test.each(['old', 'old old old'])('%s is no comparison', async (names) => {
  const { code, stderr } = await compared(names);
  expect(code).toBe(2);
  expect(stderr).toContain('name two records');
});
