import { join } from 'node:path';
import { FAILED, INVALID, SLOWER } from '../base/errors.ts';
import { saveJson, saveText } from '../base/files.ts';
import { absolute } from '../base/places.ts';
import { basisOf } from '../figures/basis.ts';
import { requireDriver } from '../load/drivers.ts';
import { type PilotResult, underWayOf } from '../plan/loads.ts';
import { makePilotPlan, makePlan } from '../plan/make-plan.ts';
import { newRecord } from '../record/record.ts';
import { plural } from '../report/format.ts';
import { interimSection } from '../report/progress.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/text.ts';
import { slicedAmounts } from '../request/run-options.ts';
import type { MeasuredTargets } from '../run/context.ts';
import type { Suite } from '../suites/suite.ts';
import { whereOf } from '../suites/where.ts';
import type { Machine } from '../system/machine.ts';
import { CommandExit, endIfInterrupted, executePlan, type Invocation } from './command.ts';
import { prepare } from './prepare.ts';
import { printReport, reportOf } from './report.ts';
import { resumeRun, savedRun } from './resume.ts';
import { beside, recordPath, saveAndPrint } from './save.ts';
import { remoteAmong } from './servers.ts';

/** Measures, saves and prints; with `--where`, then `where` too. @throws CommandExit before anything was measured. */
export async function measureCommand(suite: Suite, command: Invocation, where = whereOf(suite)) {
  const code = await measureOnce(suite, command);
  // No second run if the first was interrupted or measured nothing.
  const goesOn = [0, FAILED, SLOWER].includes(code);
  if (!command.given.where || suite.profiles || !goesOn) return code;
  const second = await measureOnce(where, whereCommand(where, command));
  return code || second;
}

async function measureOnce(suite: Suite, command: Invocation): Promise<number> {
  const { options, given, backend, stderr, saved, onRecord, say } = command;
  const chosen = suite.subjects(command);
  requireDriver(options.driver, chosen.targets, options.generatorHosts);
  const startedAt = backend.clock.date();
  const { machine, targets } = await prepare(chosen, options.topologies, command);
  endIfInterrupted(command);
  const subjects = { ...chosen, targets };

  const { connections, rates, durationS } = options;
  const most = rates === null ? underWayOf(options) : connections;
  for (const { origin, asked } of remoteAmong(targets)) {
    const load = `up to ${plural(most, 'request')} at a time, ${durationS} s under each load`;
    say(`Sending ${asked} to ${origin}: ${load}.`);
  }
  const pilot = saved?.plan.pilot ?? (await runPilot(suite, subjects, machine, command));
  const planned = { probing: chosen.probes ?? [], pilot };
  const plan = makePlan(suite, options, targets, machine, planned);
  const fresh = newRecord(
    { suite: suite.name, workload: suite.workload, command: command.again, machine, targets, plan },
    startedAt,
  );
  const path = recordPath(given.out, startedAt, suite.name);
  const record = saved === null ? fresh : resumeRun(path, saved, fresh, command);
  const save = async () => {
    await saveJson(path, record);
    onRecord?.(record);
  };
  await save();

  const isWhole = await executePlan(record, subjects, command, {
    onRound: async (progress) => {
      progress.table(renderSections([interimSection(record)], lookOf(stderr)));
      await save();
    },
    onProfile: async ({ cell, launch, round }, { profile }) => {
      if (given.profileDir === undefined) return;
      const name = `${cell.split('/')[0]}-${launch + 1}-${round + 1}.cpuprofile`;
      await saveText(join(absolute(given.profileDir), name), JSON.stringify(profile), 'profile');
    },
    wantsAnother: suite.wantsAnother,
  });
  onRecord?.(record);
  return await saveAndPrint(path, record, isWhole, command);
}

/** What loads are derived from, which may take a short run. @throws CommandExit, having said why, if that fails. */
async function runPilot(
  suite: Suite,
  subjects: MeasuredTargets,
  machine: Machine,
  command: Invocation,
): Promise<PilotResult> {
  const { targets } = subjects;
  const { options, given, backend, stdout, interrupts, say } = command;
  const plan = makePilotPlan(suite, options, targets, machine);
  if (plan === null) return suite.known;
  const record = newRecord(
    { suite: suite.name, workload: suite.workload, machine, targets, plan },
    backend.clock.date(),
  );
  say('Running a pilot to derive the loads from.');
  const isWhole = await executePlan(record, { ...subjects, probes: [] }, command);
  const basis = basisOf(record);
  if (isWhole && record.state === 'complete' && basis !== null) return basis;
  printReport(reportOf(record), given, stdout);
  throw new CommandExit(interrupts.exitCode() ?? INVALID);
}

/** The command for the second run: with amounts of its own, and its record beside the first, as `run-where.json`. */
function whereCommand(where: Suite, command: Invocation): Invocation {
  const { options, given } = command;
  const usual = where.defaults(given);
  const amounts = slicedAmounts(usual, given);
  const own = { topologies: usual.topologies, contiguous: false, until: null };
  const out = given.out === undefined ? {} : { out: beside(given.out, '-where') };
  const asked = { ...given, ...out };
  const saved = savedRun(asked);
  return { ...command, options: { ...options, ...amounts, ...own }, given: asked, saved };
}
