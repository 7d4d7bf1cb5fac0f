import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { expectAnswers, recordIn } from '../cli/harness.ts';
import { command, type Finished, type Surroundings, simulate, wordsOf } from './command.ts';
import { FIXTURES } from './fixtures.ts';
import type { World } from './simulated/backend.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What became of a command that left a record, with its tables on one line. */
interface Saved<Record> extends Finished {
  record: Record;
  text: string;
}

/** The part of a command line that chooses these fixtures, in these topologies, or the usual ones for null. */
export function of(targets: string, topologies: string | null = 'single'): string {
  const topology = topologies === null ? '' : `--topology ${topologies}`;
  return `--packages '${FIXTURES}' --targets ${targets} ${topology}`;
}

/** A command on a simulated machine that leaves a record of some kind, of which `report` says the same. */
export async function simulateSaved<Record>(
  line: string,
  read: (path: string) => Record,
  world: World = {},
  onSaid?: Surroundings['onSaid'],
): Promise<Saved<Record>> {
  using folder = temporaryFolder();
  const out = join(folder.path, 'record.json');
  const [name = '', ...words] = wordsOf(line);
  const run = await simulate([name, '--out', out, ...words], world, onSaid);
  const { stdout, stderr } = await command(['report', out]);
  expect({ stdout, stderr }).toEqual({ stdout: run.stdout, stderr: '' });
  return { ...run, record: read(out), text: run.stdout.replaceAll(/\s+/g, ' ') };
}

/** The same of a run. */
export function simulateRun(line: string, world?: World, onSaid?: Surroundings['onSaid']) {
  return simulateSaved(line, recordIn, world, onSaid);
}

/** The same of a run that goes well: all of its plan is measured, and nothing of it is wrong. */
export async function simulateWell(line: string, world?: World): Promise<Saved<RunRecord>> {
  const run = await simulateRun(line, world);
  expect(run.code, run.stderr).toBe(0);
  expect(run.record).toMatchObject({ state: 'complete', failures: [], serviceFailures: [] });
  expectAnswers(run.record);
  return run;
}
