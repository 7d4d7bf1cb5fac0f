import { join } from 'node:path';
import { expect } from 'vitest';
import { expectAnswers, recordIn } from '../cli/harness.ts';
import { command, type Surroundings, simulate, wordsOf } from './command.ts';
import { FIXTURES } from './fixtures.ts';
import type { World } from './simulated/backend.ts';
import type { ServerModel } from './simulated/server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The options that choose these fixtures and topologies; with null, the usual topologies. */
export function of(targets: string, topologies: string | null = 'single'): string {
  const topology = topologies === null ? '' : `--topology ${topologies}`;
  return `--packages '${FIXTURES}' --targets ${targets} ${topology}`;
}

/** A world in which one target is like this, in one launch if that is said. */
export function withOne(name: string, model: Partial<ServerModel>, launch?: number): World {
  return {
    server: (target, _, each) => (target === name && each === (launch ?? each) ? model : {}),
  };
}

/** Runs a command on a simulated machine. `report` must print the same of its record; `text` is that on one line. */
export async function simulateSaved<Record>(
  line: string,
  read: (path: string) => Record,
  world: World = {},
  onSaid?: Surroundings['onSaid'],
) {
  using folder = temporaryFolder();
  const out = join(folder.path, 'record.json');
  const [name = '', ...words] = wordsOf(line);
  const run = await simulate([name, '--out', out, ...words], world, onSaid);
  const { stdout, stderr } = await command(['report', out]);
  expect({ stdout, stderr }).toEqual({ stdout: run.stdout, stderr: '' });
  return { ...run, record: read(out), text: run.stdout.replaceAll(/\s+/g, ' ') };
}

/** The same for a run. */
export function simulateRun(line: string, world?: World, onSaid?: Surroundings['onSaid']) {
  return simulateSaved(line, recordIn, world, onSaid);
}

/** The same for a run that ends with this exit code, by itself. */
export async function simulateTo(code: number, line: string, world?: World) {
  const run = await simulateRun(line, world);
  expect(run.code, run.stderr).toBe(code);
  expect(run.record.state).toBe('complete');
  return run;
}

/** The same for a run in which the whole plan is measured, and nothing goes wrong. */
export async function simulateWell(line: string, world?: World) {
  const run = await simulateTo(0, line, world);
  expect(run.record).toMatchObject({ failures: [], serviceFailures: [] });
  expectAnswers(run.record);
  return run;
}
