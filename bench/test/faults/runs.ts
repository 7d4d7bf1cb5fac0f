/** Runs in which something is wrong: of servers that go wrong, and in namespaces of their own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { expect } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { CLI, expectAnswers, type Harness, recordIn, startCommand } from '../cli/harness.ts';
import { FIXTURES } from '../support/fixtures.ts';
import type { OwnPlace } from '../support/leftovers.ts';

/** Changes of a fixture's `bench` block. */
interface Changes {
  start?: string[];
  build?: string[];
  fixedPort?: number;
  services?: Record<string, object>;
}

/**
 * Makes a folder of targets that are as the fixture `ok` is, or claim to be, but for these changes; returns the
 * arguments that choose them as single processes.
 */
export function targetsIn(place: OwnPlace, targets: Record<string, Changes>): string[] {
  const ok = JSON.parse(readFileSync(join(FIXTURES, 'ok/package.json'), 'utf8'));
  const main = join(FIXTURES, 'ok/main.mjs');
  for (const [name, changes] of Object.entries(targets)) {
    const bench = { ...ok.bench, label: name, start: ['node', main], ...changes };
    place.write(`targets/${name}/package.json`, { ...ok, name, bench });
  }
  const names = Object.keys(targets).join(',');
  return ['--packages', join(place.folder, 'targets'), '--targets', names, '--topology', 'single'];
}

/** The record of a run that has measured all of its plan. */
export function wholeRecord(out: string, parts: Partial<RunRecord> = {}): RunRecord {
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [], ...parts });
  expectAnswers(record);
  return record;
}

/** The slices that a plan has, in the order of its rounds. */
export function dueIn({ plan }: RunRecord): string[] {
  return plan.launches.flat(2).flatMap(({ rounds }) => rounds.flat());
}

/** Whether this user may have mounts and a network of their own. */
export const CAN_UNSHARE =
  execaSync('unshare', ['--mount', '--net', 'true'], { reject: false }).exitCode === 0;

/**
 * Starts the command line after these shell commands, in namespaces of its own, so that what they change is changed for
 * nobody else; `as` precedes it, as `setpriv …`.
 */
export function startWithin(
  place: OwnPlace,
  { kind, commands, as = '' }: { kind: '--mount' | '--net'; commands: string; as?: string },
  args: string[],
): Harness {
  const script = `${commands} && exec ${as} "$0" "$@"`;
  const own = ['unshare', kind, 'sh', '-c', script, process.execPath, CLI, ...args] as const;
  return startCommand(place, [...own]);
}
