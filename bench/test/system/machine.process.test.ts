import { cpus } from 'node:os';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { describeMachine, machineSchema, parallelism } from '../../src/system/machine.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { ownPlace } from '../support/leftovers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

ownPlace();

test('this machine fits the schema of a record, with plausible values', async () => {
  const machine = await describeMachine([]);
  expect(machineSchema.parse(structuredClone(machine))).toEqual(machine);
  expect(new Set(machine.cores).size).toBe(machine.cores.length);
  expect(machine).toMatchObject({ parallelism: parallelism(), pm2Max: cpus().length });
  expect(machine.memoryAvailableBytes).toBeGreaterThan(0);
  expect(machine.memoryAvailableBytes).toBeLessThanOrEqual(machine.memoryTotalBytes);
  if (machine.fileLimit !== null) expect(machine.fileLimit).toBeGreaterThan(64);
});

test('it has the versions of Node and of the dependencies of the harness and of targets', async () => {
  using folder = temporaryFolder();
  const dependencies = { framework: '^1.0.0', absent: '1.0.0' };
  folder.write('server/package.json', { dependencies, devDependencies: { tool: '2.0.0' } });
  folder.write('server/node_modules/framework/package.json', { version: '1.2.3' });
  folder.write('server/node_modules/tool/package.json', { version: '2.0.0' });
  // A folder without package.json has no dependencies.
  const { versions } = await describeMachine([`${folder.path}/server`, '/no/such/folder']);
  const { framework, ...own } = versions;
  expect(framework).toBe('1.2.3');
  expect(own).toEqual((await describeMachine([])).versions);
  expect(own.node).toBe(process.versions.node);
  expect(own.autocannon).toMatch(/^\d+\.\d+/);
});

test.runIf(CAN_PIN)("on one core parallelism is 1, and pm2's `max` stays", async () => {
  const script = `const { describeMachine } = await import('../../src/system/machine.ts');
    console.log(JSON.stringify(await describeMachine([])));`;
  const [core = 0] = (await describeMachine([])).cores;
  const node = [process.execPath, '--input-type=module', '--eval', script];
  const bound = ['--cpu-list', String(core), ...node];
  const { stdout } = await execa('taskset', bound, { cwd: import.meta.dirname });
  const machine = machineSchema.parse(JSON.parse(stdout));
  expect(machine).toMatchObject({ parallelism: 1, pm2Max: cpus().length, cores: [core] });
});
