import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { recordIn } from '../cli/harness.ts';
import { command, type Finished, type Surroundings, simulate } from './command.ts';
import type { World } from './simulated/backend.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A command on a simulated machine that leaves a record of some kind, of which `report` says the same. */
export async function simulateSaved<T>(
  args: string[],
  read: (path: string) => T,
  world: World = {},
  onSaid?: Surroundings['onSaid'],
): Promise<Finished & { record: T }> {
  using folder = temporaryFolder();
  const out = join(folder.path, 'record.json');
  const run = await simulate([...args, '--out', out], world, onSaid);
  const { stdout, stderr } = await command(['report', out]);
  expect({ stdout, stderr }).toEqual({ stdout: run.stdout, stderr: '' });
  return { ...run, record: read(out) };
}

/** The same of a run. */
export function simulateRun(
  args: string[],
  world?: World,
  onSaid?: Surroundings['onSaid'],
): Promise<Finished & { record: RunRecord }> {
  return simulateSaved(args, recordIn, world, onSaid);
}
