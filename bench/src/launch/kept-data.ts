import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../base/errors.ts';
import { cacheFolder } from '../base/places.ts';
import type { PlannedService } from '../plan/services.ts';
import { SERVICES, type ServiceName } from '../services/index.ts';
import { programsOf } from '../services/programs.ts';
import { signal } from '../system/processes.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { cached } from './cache.ts';
import { copyData } from './fresh-data.ts';
import { endInstance, type Instance, startInstance, templateName, versionOf } from './instance.ts';
import { contentOf } from './seed-content.ts';
import { runSeeds, type Seed, seedsOf } from './seeds.ts';
import type { LaunchContext } from './server.ts';

/** Why filled data are not kept. */
class NotCacheable extends Error {}

/** A service that has much to write takes its time to end. */
const END_MS = 60_000;

/**
 * The folders of filled data of those of these services whose seeds tell all that decides what they fill in,
 * for these targets. One that is not in the cache yet is made: an instance of its own is filled, ends, and
 * leaves its data there. A service whose data can't be kept is not among them, and is filled as others are.
 * @throws when the launch is aborted.
 */
export async function keptData(
  planned: readonly PlannedService[],
  targets: readonly LocalTarget[],
  context: LaunchContext,
): Promise<Map<ServiceName, string>> {
  const kept = new Map<ServiceName, string>();
  for (const service of planned) {
    const seeds = seedsOf(targets, [service.name]);
    const template = await templateOf(service.name, seeds);
    if (template === null) continue;
    const isKept = existsSync(template) || (await make(template, service, seeds, context));
    if (isKept) kept.set(service.name, template);
  }
  return kept;
}

/** Where a service's data are kept once these seeds have filled it in; null where they can't be. */
async function templateOf(name: ServiceName, seeds: readonly Seed[]): Promise<string | null> {
  const service = SERVICES[name];
  const programs = programsOf(service);
  if (!service.persists || seeds.length === 0 || programs.state === 'missing') return null;
  const content = contentOf(seeds);
  if (content === null) return null;
  const version = await versionOf(programs.server, service);
  return join(cacheFolder(), 'filled', `${templateName(name, version)}-${content}`);
}

/** Whether it could be made. */
async function make(
  template: string,
  service: PlannedService,
  seeds: readonly Seed[],
  context: LaunchContext,
): Promise<boolean> {
  try {
    await cached(template, (partial) => fill(partial, service, seeds, context));
    return true;
  } catch (error) {
    // A service or a seed that fails does so again in the launch, and is told of there; a cache that can't
    // be written costs seconds, and no run.
    if (error instanceof NotCacheable || error instanceof UserError) return false;
    throw error;
  }
}

/** @throws NotCacheable where a seed fails, or the service does not end by itself: such data are not to be kept. */
async function fill(
  folder: string,
  service: PlannedService,
  seeds: readonly Seed[],
  context: LaunchContext,
): Promise<void> {
  const instances: Instance[] = [];
  try {
    const started = await startInstance(service, { kind: 'fresh' }, context, (each) => {
      instances.push(each);
    });
    if (started.state === 'failed') throw new NotCacheable(started.trouble.message);
    const [unseeded] = await runSeeds(seeds, [started.service], context);
    if (unseeded !== undefined) throw new NotCacheable(unseeded.message);
    for (const { leader, data, ended } of instances) {
      signal(leader, 'SIGTERM');
      const isWhole = await Promise.race([ended, sleep(END_MS, false, { ref: false })]);
      if (!isWhole) throw new NotCacheable(`${service.name} did not end by itself`);
      await copyData(data, folder);
    }
  } finally {
    for (const each of instances) await endInstance(each, context);
  }
}
