import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ServiceName } from '../services/index.ts';
import type { RunningService } from '../services/running.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import { type Logged, lastLines, runLogged } from './process-group.ts';
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
  of: [LocalTarget, ...LocalTarget[]];
}

/**
 * Fills services, one seed after the other, each in the folder of the first of its targets, as their servers would
 * see the service.
 * @throws when the launch is aborted.
 */
export async function runSeeds(
  seeds: readonly Seed[],
  services: readonly RunningService[],
  context: LaunchContext,
): Promise<SeedFailure[]> {
  const failures: SeedFailure[] = [];
  for (const [place, { service, command, of }] of seeds.entries()) {
    const [program, ...words] = command;
    const [target] = of;
    const log = join(context.folder, `seed-${place}.log`);
    const logged: Logged = {
      command: [programOf({ start: [program], runtime: null }), ...words],
      ...{ log, directory: target.directory },
      environment: targetEnvironment(withAddresses(target, services)),
    };
    const problem = await runLogged(logged, SEED_MS, context);
    if (problem === null) continue;
    const message = `its seed of ${service} ${problem}`;
    failures.push({ targets: of.map(({ name }) => name), message, logTail: lastLines(log) });
  }
  return failures;
}

/** The seeds of these services that these targets declare; targets that name the same files share one. */
export function seedsOf(targets: readonly LocalTarget[], services: readonly ServiceName[]): Seed[] {
  const seeds = new Map<string, Seed>();
  for (const target of targets) {
    const fileOf = (word: string) => fileIn(target.directory, word);
    for (const service of servicesOf(target).filter((name) => services.includes(name))) {
      const { seed: command = null, seedFiles = null } = target.services[service] ?? {};
      if (command === null) continue;
      const key = JSON.stringify([service, ...command.map((word) => fileOf(word) ?? word)]);
      const known = seeds.get(key);
      if (known) known.of.push(target);
      else {
        const files = seedFiles && [...command, ...seedFiles].flatMap((word) => fileOf(word) ?? []);
        seeds.set(key, { service, command, files, of: [target] });
      }
    }
  }
  return [...seeds.values()];
}

/** The file that a word names in a folder, if it names one. */
function fileIn(folder: string, word: string): string | null {
  const path = resolve(folder, word);
  return existsSync(path) ? path : null;
}

/** A target with the addresses of its services in its environment. */
export function withAddresses(
  target: LocalTarget,
  services: readonly RunningService[],
): LocalTarget {
  const own = services.filter(({ name }) => servicesOf(target).includes(name));
  return { ...target, env: Object.assign({}, target.env, ...own.map((each) => each.environment)) };
}

/** Long enough that no two are the same by chance. */
const HASH_LENGTH = 16;

/**
 * A hash of all that decides what these seeds fill in: their commands, the files that these name, and what
 * they declare beside. Null where one of them does not declare that.
 */
export function contentOf(seeds: readonly Pick<Seed, 'command' | 'files'>[]): string | null {
  const hash = createHash('sha256');
  for (const { command, files } of seeds) {
    if (files === null) return null;
    hash.update(JSON.stringify(command));
    for (const file of files) {
      for (const part of partsOf(file)) {
        hash.update(JSON.stringify([part.name, part.content.length])).update(part.content);
      }
    }
  }
  return hash.digest('hex').slice(0, HASH_LENGTH);
}

/** A file, or all files of a folder, in an order of their own; names do not say where the folder is. */
function partsOf(path: string, name = ''): { name: string; content: Buffer }[] {
  if (!statSync(path).isDirectory()) return [{ name, content: readFileSync(path) }];
  return readdirSync(path)
    .sort()
    .flatMap((each) => partsOf(join(path, each), `${name}/${each}`));
}
