import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../load/clock.ts';
import { readServices, servicesBetween } from '../load/services.ts';
import type { ServiceRun } from '../record/services.ts';
import type { RunningService } from '../services/running.ts';

const IDLE_MS = 1000;

/**
 * What these services use while nobody asks anything of the servers that hold connections to them;
 * nothing where one of them dies meanwhile, which its servers will find out.
 * @throws the signal's reason when it is aborted.
 */
export async function measureIdle(
  services: readonly RunningService[],
  launch: number,
  signal: AbortSignal,
): Promise<ServiceRun[]> {
  if (services.length === 0) return [];
  const pids = Object.fromEntries(services.map(({ name, pids: own }) => [name, [...own]]));
  try {
    const fromNs = now();
    const from = await readServices(pids);
    await sleep(IDLE_MS, undefined, { signal });
    const used = servicesBetween(from, await readServices(pids));
    const seconds = (now() - fromNs) / 1e9;
    return services.map(({ name, version }) => {
      return { name, launch, version, idleNsPerS: (used[name]?.cpuNs ?? 0) / seconds };
    });
  } catch (error) {
    if (services.every((service) => service.isAlive())) throw error;
    return [];
  }
}
