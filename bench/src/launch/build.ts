import { join } from 'node:path';
import { UserError } from '../base/errors.ts';
import { type LocalTarget, requireBuilt, workingFolder } from '../targets/targets.ts';
import { startGuardian } from './guardian.ts';
import { lastLines, runLogged } from './process-group.ts';
import { contextOf, type LaunchContext } from './server.ts';

/** Lines of a failed build's output that are shown, the last ones. */
const SHOWN_LINES = 30;

type Buildable = LocalTarget & { build: NonNullable<LocalTarget['build']> };

/**
 * Builds the targets that have something to be built, one after the other, since a build uses all cores,
 * and a folder once, whatever targets come of it; `say` is told of each. Builds have the environment of the
 * caller, by which their tools find caches and proxies. Interrupted, it ends the build under way and
 * returns; nothing is left of it either way.
 * @throws UserError with the last lines of a build that fails, or that makes no script to start.
 */
export async function buildTargets(
  targets: readonly LocalTarget[],
  interrupted: AbortSignal,
  say: (text: string) => void,
): Promise<void> {
  const buildable = targets.filter((target): target is Buildable => target.build !== null);
  if (buildable.length === 0) return;
  await using guardian = startGuardian();
  const context = contextOf(guardian, interrupted);
  const byWork = Map.groupBy(buildable, (target) => {
    return JSON.stringify([workingFolder(target), ...target.build]);
  });
  for (const [target] of byWork.values()) {
    if (target === undefined || interrupted.aborted) return;
    say(`Building ${target.name}: ${target.build.join(' ')}`);
    try {
      await build(target, context);
    } catch (error) {
      if (!interrupted.aborted) throw error;
    }
  }
  if (!interrupted.aborted) requireBuilt(buildable);
}

async function build(target: Buildable, context: LaunchContext): Promise<void> {
  const log = join(context.folder, `build-${target.name}.log`);
  const directory = workingFolder(target);
  const environment = { ...process.env, ...target.env };
  const problem = await runLogged(
    { command: target.build, log, directory, environment },
    null,
    context,
  );
  if (problem === null) return;
  const lines = lastLines(log, SHOWN_LINES);
  throw new UserError(
    [`the build of ${target.name} failed: it ${problem}`, ...lines].join('\n'),
    `Correct it, or try it by hand: \`${target.build.join(' ')}\` in ${directory}.`,
  );
}
