import { join } from 'node:path';
import { UserError } from '../base/errors.ts';
import { type LocalTarget, requireBuilt, workingFolder } from '../targets/targets.ts';
import { startGuarded } from './context.ts';
import { runLogged } from './logged.ts';
import { type LaunchContext, lastLines } from './server.ts';

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
  await using guarded = startGuarded(interrupted);
  const byWork = Map.groupBy(buildable, (target) => {
    return JSON.stringify([workingFolder(target), ...target.build]);
  });
  for (const [target] of byWork.values()) {
    if (target === undefined || interrupted.aborted) return;
    say(`Building ${target.name}: ${target.build.join(' ')}`);
    try {
      await build(target, guarded.launching);
    } catch (error) {
      if (!interrupted.aborted) throw error;
    }
  }
  if (!interrupted.aborted) requireBuilt(buildable);
}

async function build(target: Buildable, context: LaunchContext): Promise<void> {
  const log = join(context.folder, `build-${target.name}.log`);
  const logged = {
    command: target.build,
    log,
    cores: null,
    directory: workingFolder(target),
    environment: { ...definedIn(process.env), ...target.env },
    channel: false,
  };
  const ended = await runLogged(logged, null, context);
  if (ended.state === 'failed') {
    throw failedBuild(target, `it ${ended.message}`, lastLines(log, SHOWN_LINES));
  }
}

function definedIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => {
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function failedBuild(target: Buildable, message: string, lines: string[]): UserError {
  return new UserError(
    [`the build of ${target.name} failed: ${message}`, ...lines].join('\n'),
    `Correct it, or try it by hand: \`${target.build.join(' ')}\` in ${workingFolder(target)}.`,
  );
}
