import { FAILED, WRONG } from '../base/exit-codes.ts';
import { requireDriver } from '../load/drivers.ts';
import type { Basis } from '../plan/loads.ts';
import { makePlan } from '../plan/make-plan.ts';
import { newRecord, saveRecord } from '../record/record.ts';
import { interimSection } from '../report/interim.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import type { Suite } from '../suites/suite.ts';
import { describeMachine } from '../system/machine.ts';
import { withServices } from '../targets/served.ts';
import { carryOut, saveAtEnd, startAudience } from './carry-out.ts';
import { equip } from './equip.ts';
import type { RunRequest } from './kind.ts';
import { requireLimits } from './limits.ts';
import { savePage } from './page.ts';
import { flyPilot } from './pilot.ts';
import { prepare } from './prepare.ts';
import { recordPath } from './record-path.ts';
import { printRecord } from './report.ts';

/**
 * Measures, saves and prints the record, and returns the exit code. What the loads are derived from a
 * pilot finds out, where it is not known.
 */
export async function measureCommand(
  suite: Suite,
  request: RunRequest,
  known: Basis | null = null,
): Promise<number> {
  const { options, given, again } = request;
  requireLimits(options.cpuLimits);
  const chosen = withServices(suite.subjects(request), given.targets ?? null);
  requireDriver(options.driver, chosen.targets);
  using audience = startAudience();
  const { interrupts, say } = audience;
  const startedAt = new Date();
  const machine = await describeMachine(chosen.targets.map(({ directory }) => directory));
  await prepare(chosen, options.topologies, machine, interrupts.soon, say);
  const wishes = { runtimes: given.runtime ?? [], changes: given.with ?? [] };
  const targets = await equip(
    chosen.targets,
    { ...wishes, limits: options.cpuLimits },
    interrupts.soon,
    say,
  );
  const ended = interrupts.exitCode();
  if (targets === null || ended !== null) return ended ?? WRONG;
  const subjects = { ...chosen, targets };

  const pilot = known
    ? ({ state: 'known', basis: known } as const)
    : await flyPilot(suite, options, subjects, machine, audience);
  if (pilot.state === 'failed') {
    printRecord(pilot.record, options);
    return interrupts.exitCode() ?? WRONG;
  }
  const plan = makePlan(suite, options, targets, machine, {
    probing: chosen.probes,
    basis: pilot.basis,
  });
  const record = newRecord(
    { suite: suite.name, command: again, machine, targets, plan },
    startedAt,
  );
  const path = recordPath(options.out, startedAt, suite.name);
  await saveRecord(path, record);

  // What was measured before the harness could not go on is still worth saving and showing.
  const isWhole = await carryOut(record, subjects, audience, async (round, progress) => {
    progress.table(renderSections([interimSection(round)], lookOf(process.stderr)));
    await saveRecord(path, round);
  });
  const saved = await saveAtEnd(path, () => saveRecord(path, record));
  const deserved = printRecord(record, options);
  audience.say(saved.text);
  const page = await savePage(path, record);
  audience.say(page.text);
  const interrupted = interrupts.exitCode();
  if (interrupted !== null) return interrupted;
  const failures = record.failures.length + record.serviceFailures.length;
  const isSound = isWhole && saved.isSaved && page.isSaved && failures === 0;
  if (!isSound) return record.slices.length > 0 ? FAILED : WRONG;
  return deserved;
}
