import type { ReadyServers } from '../launch/ready.ts';
import { GeneratorError } from '../load/generator.ts';
import type { Loss } from '../load/measure.ts';
import type { Cell } from '../plan/plan.ts';
import type { Failure, ServiceFailure } from '../record/record.ts';
import { SERVICES } from '../services/index.ts';
import { isAlive } from '../system/processes.ts';
import type { RunningLaunch } from './context.ts';

/** Records the servers and the services that did not start. */
export function addNotReady({ notReady, failedServices }: ReadyServers, running: RunningLaunch) {
  const { launch } = running;
  for (const failure of notReady) addFailure({ launch, ...failure }, running);
  for (const failure of failedServices) {
    addServiceFailure({ launch, when: 'start', ...failure }, running);
  }
}

/** Removes a lost server, or all servers that need a lost service, from those that are up, and records why. */
export function addLost(
  lost: Loss,
  when: 'warm-up' | 'slice',
  { server }: Cell,
  running: RunningLaunch,
): void {
  const { launch, servers } = running;
  // Lost together with its service, which another server of the interleaving has reported.
  if (!servers.has(server)) return;
  if (lost.state === 'failed') {
    servers.delete(server);
    addFailure({ server, launch, when, ...lost.failure }, running);
    return;
  }
  const { name, logTail } = lost.service;
  const needing = [...servers.keys()].filter((key) => {
    return servers.get(key)?.spec.services.some((service) => service.name === name);
  });
  for (const key of needing) servers.delete(key);
  const { message } = lost;
  const failure = { name, launch, when, message, logTail: logTail(), servers: needing };
  addServiceFailure(failure, running);
}

function addFailure(failure: Failure, { record, say }: RunningLaunch): void {
  record.failures.push(failure);
  say(`${failure.server} failed: ${failure.message}`);
}

function addServiceFailure(failure: ServiceFailure, { record, say }: RunningLaunch): void {
  record.serviceFailures.push(failure);
  const { name, message, servers } = failure;
  const out = `left out of this launch: ${servers.join(', ')}`;
  say(`${SERVICES[name].label} failed: ${message}; ${out}`);
}

/** Measures these cells. If generators fail, new ones repeat it once; if those fail too, the servers are lost: null. */
export async function retryWithNewGenerators<T>(
  cells: readonly Cell[],
  running: RunningLaunch,
  act: () => Promise<T>,
): Promise<T | null> {
  const { pool, now, harness, launch, record, say } = running;
  for (const isLast of [false, true]) {
    try {
      return await act();
    } catch (error) {
      // Generators read the guardian's counters too, and no run continues without the guardian.
      const isOfGenerators = error instanceof GeneratorError && harness.every(isAlive);
      if (!isOfGenerators || now.aborted) throw error;
      await pool.renew();
      const { message } = error;
      if (!isLast) {
        const ids = cells.map(({ id }) => id);
        record.repeats.push({ cells: ids, launch, message });
        say(`${message}; measuring again with a new one: ${ids.join(', ')}`);
        continue;
      }
      const failure = { message: `${message}, twice`, logTail: [], died: false };
      for (const cell of cells) addLost({ state: 'failed', failure }, 'slice', cell, running);
    }
  }
  return null;
}
