import { cpus } from 'node:os';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { describeMachine, machineSchema } from '../../src/system/machine.ts';
import { parallelism } from '../../src/system/parallelism.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { ownPlace } from '../support/leftovers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

ownPlace();

describe('this machine', () => {
  test('fits the schema of a record', async () => {
    const machine = await describeMachine([]);
    expect(machineSchema.parse(structuredClone(machine))).toEqual(machine);
  });

  test('has plausible cores, memory and parallelism', async () => {
    const machine = await describeMachine([]);
    expect(new Set(machine.cores).size).toBe(machine.cores.length);
    expect(machine.parallelism).toBe(parallelism());
    expect(machine.pm2Max).toBe(cpus().length);
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
    const { versions } = await describeMachine([directory]);
    expect(versions).toMatchObject({ node: process.versions.node, framework: '1.2.3' });
    expect(versions.autocannon).toMatch(/^\d+\.\d+/);
    expect(Object.keys(versions)).not.toContain('tool');
    expect(Object.keys(versions)).not.toContain('absent');
  });

  test('takes a target without package.json for one without dependencies', async () => {
    const { versions } = await describeMachine(['/no/such/folder']);
    expect(versions).toEqual((await describeMachine([])).versions);
  });
});

/** Bound to the first core that this process may use. */
describe.runIf(CAN_PIN)('a process that may use one core only', () => {
  const onOneCore = async (args: string[]) => {
    const [core = 0] = (await describeMachine([])).cores;
    return execa('taskset', ['--cpu-list', String(core), process.execPath, ...args], {
      cwd: import.meta.dirname,
      reject: false,
    });
  };

  test("sees that one process can run at once, and how many pm2's own `max` would start", async () => {
    const script = `const { describeMachine } = await import('../../src/system/machine.ts');
      console.log(JSON.stringify(await describeMachine([])));`;
    const { stdout } = await onOneCore(['--input-type=module', '--eval', script]);
    const machine = machineSchema.parse(JSON.parse(stdout));
    expect(machine).toMatchObject({ parallelism: 1, pm2Max: cpus().length });
    expect(machine.cores).toHaveLength(1);
  });
});
