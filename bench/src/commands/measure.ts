import { FAILED, WRONG } from '../base/exit-codes.ts';
import { requireDriver } from '../load/drivers.ts';
import type { PilotResult } from '../plan/loads.ts';
import { makePlan } from '../plan/make-plan.ts';
import { newRecord, type RunRecord, saveRecord } from '../record/record.ts';
import { interimSection } from '../report/interim.ts';
import type { Progress } from '../report/progress.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import type { Suite } from '../suites/suite.ts';
import { whereOf } from '../suites/where.ts';
import { withServices } from '../targets/served.ts';
import { carryOut, startConsole } from './carry-out.ts';
import { conclude } from './conclude.ts';
import type { Io } from './io.ts';
import type { RunRequest } from './kind.ts';
import { applyModifiers } from './modifiers.ts';
import { runPilot } from './pilot.ts';
import { prepare } from './prepare.ts';
import { keepProfiles } from './profiles.ts';
import { recordPath } from './record-path.ts';
import { printReport, reportOf } from './report.ts';
import { whereRequest } from './where.ts';

/**
 * Measures, saves and prints the record, and returns the exit code. What the loads are derived from a
 * pilot finds out, where it is not known. Where it is asked for, a second run says where the time goes.
 */
export async function measureCommand(
  suite: Suite,
  request: RunRequest,
  io: Io,
  known: PilotResult | null = null,
): Promise<number> {
  const code = await measureOnce(suite, request, io, known);
  const { given } = request;
  // What it was ended for is no reason to begin another one.
  const goesOn = code === 0 || code === FAILED;
  if (!given.where || suite.profiles || !goesOn) return code;
  const where = whereOf(suite);
  const second = await measureOnce(where, whereRequest(where, request), io, known);
  return code || second;
}

async function measureOnce(
  suite: Suite,
  request: RunRequest,
  io: Io,
  known: PilotResult | null,
): Promise<number> {
  const { options, given, again } = request;
  if (options.cpuLimits.length > 0) io.backend.requireLimits();
  const chosen = withServices(suite.subjects(request), given.targets ?? null);
  requireDriver(options.driver, chosen.targets);
  using runConsole = startConsole(io);
  const { interrupts, say } = runConsole;
  const { clock, describeMachine } = io.backend;
  const startedAt = clock.date();
  const machine = await describeMachine(chosen.targets.map(({ directory }) => directory));
  await prepare(chosen, options.topologies, machine, interrupts.soon, say, io.backend);
  const { runtime: runtimes = [], with: changes = [] } = given;
  const modifiers = { runtimes, changes, limits: options.cpuLimits };
  const targets = await applyModifiers(chosen.targets, modifiers, interrupts.soon, say, io.backend);
  const ended = interrupts.exitCode();
  if (targets === null || ended !== null) return ended ?? WRONG;
  const subjects = { ...chosen, targets };

  const pilot = known
    ? ({ state: 'known', basis: known } as const)
    : await runPilot(suite, options, subjects, machine, runConsole);
  if (pilot.state === 'failed') {
    printReport(reportOf(pilot.record), options, io.stdout);
    return interrupts.exitCode() ?? WRONG;
  }
  const plan = makePlan(suite, options, targets, machine, {
    probing: chosen.probes,
    basis: pilot.basis,
  });
  const record = newRecord(
    { suite: suite.name, workload: suite.workload, command: again, machine, targets, plan },
    startedAt,
  );
  const path = recordPath(options.out, startedAt, suite.name);
  await saveRecord(path, record);

  // What was measured before the harness could not go on is still worth saving and showing.
  const onRound = async (round: RunRecord, progress: Progress) => {
    progress.table(renderSections([interimSection(round)], lookOf(io.stderr)));
    await saveRecord(path, round);
  };
  const onProfile = keepProfiles(options.profileDir);
  const isWhole = await carryOut(record, subjects, runConsole, onRound, onProfile);
  const save = () => saveRecord(path, record);
  const { isKept, deserved } = await conclude(path, record, save, options, runConsole);
  const interrupted = interrupts.exitCode();
  if (interrupted !== null) return interrupted;
  if (record.slices.length === 0) return WRONG;
  return isWhole && isKept ? deserved : FAILED;
}
