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
export interface Unseeded {
  targets: string[];
  message: string;
  lastWords: string[];
}

/** One command that fills a service, for all targets that declare the same. */
interface Seed {
  service: ServiceName;
  command: [string, ...string[]];
  of: LocalTarget[];
}

/**
 * Fills the services as these targets declare it, one seed after the other; targets that name the same
 * files share a seed, which is run once.
 * @throws when the launch is aborted.
 */
export async function runSeeds(
  targets: readonly LocalTarget[],
  services: readonly RunningService[],
  context: LaunchContext,
): Promise<Unseeded[]> {
  const unseeded: Unseeded[] = [];
  for (const [place, seed] of seedsOf(targets, services).entries()) {
    const log = join(context.folder, `seed-${place}.log`);
    const ended = await runSeed(seed, log, services, context);
    if (ended === null || ended.state === 'done') continue;
    const message = `its seed of ${seed.service} ${ended.message}`;
    const { lastWords } = ended;
    unseeded.push({ targets: seed.of.map(({ name }) => name), message, lastWords });
  }
  return unseeded;
}

function seedsOf(targets: readonly LocalTarget[], services: readonly RunningService[]): Seed[] {
  const seeds = new Map<string, Seed>();
  for (const target of targets) {
    for (const service of servicesOf(target)) {
      const command = target.services[service]?.seed ?? null;
      if (command === null || services.every(({ name }) => name !== service)) continue;
      const key = JSON.stringify([service, ...command.map((word) => fileOr(word, target))]);
      const known = seeds.get(key);
      if (known) known.of.push(target);
      else seeds.set(key, { service, command, of: [target] });
    }
  }
  return [...seeds.values()];
}

/** The file that a word names in the target's folder, or the word. */
function fileOr(word: string, { directory }: LocalTarget): string {
  const path = resolve(directory, word);
  return existsSync(path) ? path : word;
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
