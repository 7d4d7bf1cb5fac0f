import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ServiceName } from '../services/index.ts';
import type { RunningService } from '../services/running.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import { type Ended, type Logged, runLogged } from './logged.ts';
import { type LaunchContext, programOf, targetEnvironment } from './server.ts';

/** Filling a database may take a while. */
const SEED_MS = 600_000;

/** A seed that did not do its work, and the targets that it is of. */
export interface SeedFailure {
  targets: string[];
  message: string;
  logTail: string[];
}

/** One command that fills a service, for all targets that declare the same. */
export interface Seed {
  service: ServiceName;
  command: [string, ...string[]];
  /** All files and folders that decide what it fills in, absolute; null where that is not declared. */
  files: string[] | null;
  of: LocalTarget[];
}

/**
 * Fills services, one seed after the other.
 * @throws when the launch is aborted.
 */
export async function runSeeds(
  seeds: readonly Seed[],
  services: readonly RunningService[],
  context: LaunchContext,
): Promise<SeedFailure[]> {
  const unseeded: SeedFailure[] = [];
  for (const [place, seed] of seeds.entries()) {
    const log = join(context.folder, `seed-${place}.log`);
    const ended = await runSeed(seed, log, services, context);
    if (ended === null || ended.state === 'done') continue;
    const message = `its seed of ${seed.service} ${ended.message}`;
    const { logTail } = ended;
    unseeded.push({ targets: seed.of.map(({ name }) => name), message, logTail });
  }
  return unseeded;
}

/** The seeds of these services that these targets declare; targets that name the same files share one. */
export function seedsOf(targets: readonly LocalTarget[], services: readonly ServiceName[]): Seed[] {
  const seeds = new Map<string, Seed>();
  for (const target of targets) {
    for (const service of servicesOf(target).filter((name) => services.includes(name))) {
      const { seed: command = null, seedFiles = null } = target.services[service] ?? {};
      if (command === null) continue;
      const words = command.map((word) => fileOf(word, target) ?? word);
      const files =
        seedFiles &&
        [...command, ...seedFiles].flatMap((word) => {
          return fileOf(word, target) ?? [];
        });
      const key = JSON.stringify([service, ...words]);
      const known = seeds.get(key);
      if (known) known.of.push(target);
      else seeds.set(key, { service, command, files, of: [target] });
    }
  }
  return [...seeds.values()];
}

/** The file that a word names in the target's folder, if it names one. */
function fileOf(word: string, { directory }: LocalTarget): string | null {
  const path = resolve(directory, word);
  return existsSync(path) ? path : null;
}

/** Runs a seed in the folder of the first of its targets, as the servers would see the service. */
async function runSeed(
  { command: [program, ...words], of: [target] }: Seed,
  log: string,
  services: readonly RunningService[],
  context: LaunchContext,
): Promise<Ended | null> {
  if (target === undefined) return null;
  const command: Logged['command'] = [programOf({ start: [program], runtime: null }), ...words];
  const environment = targetEnvironment(withAddresses(target, services));
  const shared = { cores: null, channel: false, directory: target.directory };
  return await runLogged({ command, log, environment, ...shared }, SEED_MS, context);
}

/** A target with the addresses of its services in its environment. */
export function withAddresses(
  target: LocalTarget,
  services: readonly RunningService[],
): LocalTarget {
  const own = services.filter(({ name }) => servicesOf(target).includes(name));
  return { ...target, env: Object.assign({}, target.env, ...own.map((each) => each.environment)) };
}
