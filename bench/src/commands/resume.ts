import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../base/errors.ts';
import { readJson } from '../base/files.ts';
import { absolute } from '../base/places.ts';
import { drawLaunch } from '../plan/draw.ts';
import { observationsShape, type RunRecord, recordSchema } from '../record/record.ts';
import type { GivenOptions } from '../request/run-options.ts';
import { wholeLaunches } from '../run/steps.ts';
import { differencesOf } from '../summary/records.ts';
import type { RunConsole } from './command.ts';
import { asTyped } from './save.ts';

/** The run that `--resume` continues; null if there is none yet. @throws UserError if it can't be read. */
export function savedRun({ resume, out }: Pick<GivenOptions, 'resume' | 'out'>): RunRecord | null {
  const path = resume && out !== undefined ? absolute(out) : null;
  return path !== null && existsSync(path) ? readJson(path, [recordSchema]) : null;
}

/** A `fresh` record with the whole launches of a saved one. @throws UserError if more differs than their number. */
export function resumeRun(path: string, saved: RunRecord, fresh: RunRecord, { say }: RunConsole) {
  const asSaved = recordSchema.parse(fresh);
  const [before, now] = [conditionsOf(saved), conditionsOf(asSaved)];
  const others = Object.keys(before).filter((name) => !isDeepStrictEqual(before[name], now[name]));
  const differences = [...differencesOf(saved, asSaved), ...others.map((name) => `${name} differ`)];
  if (differences.length > 0) {
    const message = [`this run can't continue ${asTyped(path)}:`, ...differences].join('\n  ');
    throw new UserError(message, 'Give the options that it had, or another file.');
  }
  const whole = wholeLaunches(saved);
  const observed = observationsShape.keyof().options.map((key) => {
    const seen = saved[key];
    return [key, Array.isArray(seen) ? seen.filter(({ launch }) => launch < whole) : seen];
  });
  const launches = saved.plan.launches.slice(0, whole);
  // Servers stay in the groups in which they were.
  const plan = { ...fresh.plan, groups: saved.plan.groups, launches };
  while (launches.length < fresh.plan.launches.length) launches.push(drawLaunch(plan));
  const { startedAt, wallNs, firstTableNs, harnessPeakBytes } = saved;
  const record: RunRecord = {
    ...fresh,
    ...{ startedAt, wallNs, firstTableNs, harnessPeakBytes, plan },
    ...observationsShape.parse(Object.fromEntries(observed)),
  };
  const done = `${wholeLaunches(record)} of ${launches.length} launches are measured`;
  say(`Continuing ${asTyped(path)}: ${done}.`);
  return record;
}

/** What all launches of a run have in common, by names in the plural. */
function conditionsOf({ suite, machine, plan }: RunRecord): Record<string, unknown> {
  const { seed, rounds, loads, cells, services } = plan;
  return {
    'kinds of run': suite,
    'revisions of the code': machine.git?.revision,
    'versions of dependencies': machine.versions,
    seeds: seed,
    'servers and their loads': cells.map(({ id }) => id),
    loads: [rounds, loads],
    services,
  };
}
