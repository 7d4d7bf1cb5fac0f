import { join, resolve } from 'node:path';
import { FAILED, SLOWER, WRONG } from '../base/exit-codes.ts';
import { saveJson } from '../base/json-file.ts';
import { standing } from '../base/places.ts';
import { saveText } from '../base/text-file.ts';
import { requireDriver } from '../load/drivers.ts';
import { underWayOf } from '../plan/loads.ts';
import { makePlan } from '../plan/make-plan.ts';
import { newRecord, type RunRecord } from '../record/record.ts';
import { plural } from '../report/format.ts';
import { interimSection } from '../report/interim.ts';
import type { Progress } from '../report/progress.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import type { RunRequest } from '../request/run-command.ts';
import { slicedAmounts } from '../request/run-options.ts';
import type { RunEvents } from '../run/context.ts';
import type { Suite } from '../suites/suite.ts';
import { whereOf } from '../suites/where.ts';
import { carryOut, startConsole } from './carry-out.ts';
import type { Io } from './command.ts';
import { conclude } from './conclude.ts';
import { remoteAmong } from './named-servers.ts';
import { runPilot } from './pilot.ts';
import { prepare } from './prepare.ts';
import { partsOf, recordPath } from './record-path.ts';
import { printReport, reportOf } from './report.ts';

/**
 * Measures, saves and prints the record, and returns the exit code. What the loads are derived from a
 * pilot finds out, where it is not known. Where it is asked for, a second run says where the time goes, of the same
 * targets unless others are given.
 */
export async function measureCommand(
  suite: Suite,
  request: RunRequest,
  io: Io,
  where = whereOf(suite),
): Promise<number> {
  const code = await measureOnce(suite, request, io);
  // What it was ended for is no reason to begin another one.
  const goesOn = code === 0 || code === FAILED || code === SLOWER;
  if (!request.given.where || suite.profiles || !goesOn) return code;
  const second = await measureOnce(where, whereRequest(where, request), io);
  return code || second;
}

async function measureOnce(suite: Suite, request: RunRequest, io: Io): Promise<number> {
  const { options, given, again } = request;
  io.backend.requireLimits(options);
  const chosen = suite.subjects(request);
  requireDriver(options.driver, chosen.targets, options.generatorHosts);
  using runConsole = startConsole(io);
  const { interrupts } = runConsole;
  const startedAt = io.backend.clock.date();
  const prepared = await prepare(chosen, options.topologies, given, runConsole);
  const ended = interrupts.exitCode();
  if (prepared === null || ended !== null) return ended ?? WRONG;
  const { machine, targets } = prepared;
  const subjects = { ...chosen, targets };

  const { connections, rates, durationS } = options;
  const most = rates === null ? underWayOf(options) : connections;
  for (const { origin, asked } of remoteAmong(targets)) {
    const load = `up to ${plural(most, 'request')} at a time, ${durationS} s under each load`;
    runConsole.say(`Sending ${asked} to ${origin}: ${load}.`);
  }
  const pilot = await runPilot(suite, options, subjects, machine, runConsole);
  if (pilot.state === 'failed') {
    printReport(reportOf(pilot.record), options, io.stdout);
    return interrupts.exitCode() ?? WRONG;
  }
  const plan = makePlan(suite, options, targets, machine, {
    probing: chosen.probes,
    pilot: pilot.basis,
  });
  const record = newRecord(
    { suite: suite.name, workload: suite.workload, command: again, machine, targets, plan },
    startedAt,
  );
  const path = recordPath(options.out, startedAt, suite.name);
  const save = (to: string) => saveJson(to, record);
  await save(path);
  io.onRecord(record);

  const onRound = async (round: RunRecord, progress: Progress) => {
    progress.table(renderSections([interimSection(round)], lookOf(io.stderr)));
    await saveJson(path, round);
    io.onRecord(round);
  };
  const onProfile = keepProfiles(options.profileDir);
  const { wantsAnother } = suite;
  const isWhole = await carryOut(record, subjects, runConsole, onRound, onProfile, wantsAnother);
  io.onRecord(record);
  // What was measured before the harness could not go on is still worth saving and showing.
  const measured = record.slices.length === 0 ? 'nothing' : isWhole ? 'all' : 'a part';
  return await conclude(path, record, save, measured, options, runConsole);
}

/** Keeps the profiles of a run in this folder, a file for each slice; nothing where there is none. */
function keepProfiles(folder: string | null): RunEvents['onProfile'] {
  return async ({ cell, launch, round }, { profile }) => {
    if (folder === null) return;
    const name = `${cell.split('/')[0]}-${launch + 1}-${round + 1}.cpuprofile`;
    await saveText(join(resolve(standing(), folder), name), JSON.stringify(profile), 'profile');
  };
}

/**
 * The request for where the time goes, beside one whose own it is: with the amounts of the former, and its record
 * beside that one, as `run-where.json` beside `run.json`.
 */
function whereRequest(where: Suite, request: RunRequest): RunRequest {
  const { options, given } = request;
  const usual = where.defaults(given);
  const { folder, name, ending } = partsOf(options.out ?? '');
  return {
    ...request,
    options: {
      ...options,
      ...slicedAmounts(usual, given),
      topologies: usual.topologies,
      contiguous: false,
      until: null,
      out: options.out === null ? null : join(folder, `${name}-where${ending}`),
    },
  };
}
