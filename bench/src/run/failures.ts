import type { ReadyServers } from '../launch/ready.ts';
import type { Lost } from '../load/measure.ts';
import type { Cell } from '../plan/plan.ts';
import type { ServerRef } from '../plan/topology.ts';
import type { Failure } from '../record/record.ts';
import type { ServiceFailure } from '../record/services.ts';
import type { RunningLaunch } from './context.ts';

/** Puts down what did not start, of these servers and of the services that they need. */
export function addNotReady(
  { notReady, troubles }: ReadyServers,
  refs: readonly ServerRef[],
  running: RunningLaunch,
): void {
  const { launch, record } = running;
  for (const failure of notReady) addFailure({ launch, ...failure }, running);
  for (const trouble of troubles) {
    const service = record.plan.services.find(({ name }) => name === trouble.name);
    const needing = refs.filter(({ target }) => service?.targets.includes(target));
    const servers = needing.map(({ server }) => server);
    addServiceFailure({ launch, when: 'start', ...trouble, servers }, running);
  }
}

/**
 * Takes a cell's server that is lost out of those that are up, with its service all that need this one, and puts
 * that down.
 */
export function lose(
  lost: Lost,
  when: 'warm-up' | 'slice',
  cell: Cell,
  running: RunningLaunch,
): void {
  const { launch, servers } = running;
  // Lost with its service, which another server of the same interleaving has told of.
  if (!servers.has(cell.server)) return;
  if (lost.state === 'failed') {
    servers.delete(cell.server);
    addFailure({ server: cell.server, launch, when, ...lost.failure }, running);
    return;
  }
  const { message } = lost;
  const { name, logTail } = lost.service;
  const needing = [...servers].filter(([, { spec }]) => {
    return spec.services.some((service) => service.name === name);
  });
  const keys = needing.map(([key]) => key);
  for (const key of keys) servers.delete(key);
  const failure = { message, logTail: logTail(), servers: keys };
  addServiceFailure({ name, launch, when, ...failure }, running);
}

function addFailure(failure: Failure, { record, onFailure }: RunningLaunch): void {
  record.failures.push(failure);
  onFailure(failure);
}

function addServiceFailure(
  failure: ServiceFailure,
  { record, onServiceFailure }: RunningLaunch,
): void {
  record.serviceFailures.push(failure);
  onServiceFailure(failure);
}
