import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunningService, ServiceName } from '../services/index.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import { hashOf } from './cache.ts';
import { declaredCommand, lastLines, runLogged } from './process-group.ts';
import type { LaunchContext, ServerFailure } from './server.ts';

const SEED_MS = 600_000;

/** A command that fills a service, shared by all targets that declare it. */
export interface Seed {
  service: ServiceName;
  command: [string, ...string[]];
  /** All files and folders that decide what it stores, absolute; null if that is not declared. */
  files: string[] | null;
  /** It runs in the folder and environment of this one. */
  target: LocalTarget;
  targets: string[];
}

/** Runs seeds one after the other. Returns the failures, with the targets that declare them. @throws when aborted. */
export async function runSeeds(
  seeds: readonly Seed[],
  services: readonly RunningService[],
  context: LaunchContext,
) {
  const failures: { targets: string[]; failure: ServerFailure }[] = [];
  for (const [index, { service, command, target, targets }] of seeds.entries()) {
    const log = join(context.folder, `seed-${index}.log`);
    const declared = declaredCommand(command, withAddresses(target, services));
    const problem = await runLogged({ ...declared, log }, context, SEED_MS);
    if (problem === null) continue;
    const message = `its seed of ${service} ${problem}`;
    failures.push({ targets, failure: { message, logTail: lastLines(log), died: false } });
  }
  return failures;
}

/** The seeds that these targets declare for these services. Targets that name the same files share one. */
export function seedsOf(targets: readonly LocalTarget[], services: readonly ServiceName[]): Seed[] {
  const seeds = new Map<string, Seed>();
  for (const target of targets) {
    /** The file in the target's folder that a word names, if it does. */
    const fileOf = (word: string) => {
      const path = resolve(target.directory, word);
      return existsSync(path) ? path : null;
    };
    for (const service of services) {
      const { seed: command = null, seedFiles = null } = target.services[service] ?? {};
      if (command === null) continue;
      const key = JSON.stringify([service, ...command.map((word) => fileOf(word) ?? word)]);
      const files = seedFiles && [...command, ...seedFiles].flatMap((word) => fileOf(word) ?? []);
      const seed: Seed = seeds.get(key) ?? { service, command, files, target, targets: [] };
      seed.targets.push(target.name);
      seeds.set(key, seed);
    }
  }
  return [...seeds.values()];
}

/** A target with the addresses of its services in its environment. */
export function withAddresses(
  target: LocalTarget,
  services: readonly RunningService[],
): LocalTarget {
  const own = services.filter(({ name }) => servicesOf(target).includes(name));
  return { ...target, env: Object.assign({}, target.env, ...own.map((each) => each.environment)) };
}

/** A hash of the commands of seeds and the files that they name or declare; null if one declares none. */
export function seedHash(seeds: readonly Pick<Seed, 'command' | 'files'>[]): string | null {
  const hashes = seeds.map(({ command, files }) => files && hashOf(JSON.stringify(command), files));
  return hashes.includes(null) ? null : hashOf(hashes.join());
}
