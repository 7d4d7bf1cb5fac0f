import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { describeMachine, machineSchema, parseCoreList } from '../src/machine.ts';
import { makeTarget } from './make-record.ts';
import { temporaryFolder } from './temporary-folder.ts';

test.each([
  ['0', [0]],
  ['0-3', [0, 1, 2, 3]],
  ['0-1,4,6-7', [0, 1, 4, 6, 7]],
  ['5,2', [5, 2]],
])('reads the core list %s', (list, cores) => {
  expect(parseCoreList(list)).toEqual(cores);
});

describe('this machine', () => {
  test('fits the schema of a record', async () => {
    const machine = await describeMachine([]);
    expect(machineSchema.parse(structuredClone(machine))).toEqual(machine);
  });

  test('has plausible cores, memory and parallelism', async () => {
    const machine = await describeMachine([]);
    expect(new Set(machine.cores).size).toBe(machine.cores.length);
    expect(machine.parallelism).toBe(availableParallelism());
    expect(machine.memoryAvailableBytes).toBeGreaterThan(0);
    expect(machine.memoryAvailableBytes).toBeLessThanOrEqual(machine.memoryTotalBytes);
    if (machine.fileLimit !== null) expect(machine.fileLimit).toBeGreaterThan(64);
  });

  test('has the versions of Node, of the harness and of what the targets use', async () => {
    using folder = temporaryFolder();
    const dependencies = { framework: '^1.0.0', absent: '1.0.0' };
    folder.write('server/package.json', { dependencies, devDependencies: { tool: '2.0.0' } });
    folder.write('server/node_modules/framework/package.json', { version: '1.2.3' });
    folder.write('server/node_modules/tool/package.json', { version: '2.0.0' });
    const directory = `${folder.path}/server`;
    const { versions } = await describeMachine([makeTarget('server', { directory })]);
    expect(versions).toMatchObject({ node: process.versions.node, framework: '1.2.3' });
    expect(versions.autocannon).toMatch(/^\d+\.\d+/);
    expect(Object.keys(versions)).not.toContain('tool');
    expect(Object.keys(versions)).not.toContain('absent');
  });

  test('takes a target without package.json for one without dependencies', async () => {
    const nothing = makeTarget('nothing', { directory: '/no/such/folder' });
    const { versions } = await describeMachine([nothing]);
    expect(versions).toEqual((await describeMachine([])).versions);
  });
});
