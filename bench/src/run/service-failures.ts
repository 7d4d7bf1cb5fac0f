import type { ServiceTrouble } from '../launch/instance.ts';
import type { RunningServer } from '../launch/server.ts';
import type { ServerRef } from '../plan/topology.ts';
import type { ServiceFailure } from '../record/services.ts';
import type { RunContext } from './context.ts';

type FailureSink = Pick<RunContext, 'record' | 'onServiceFailure'>;

/** Puts services down that did not start for these servers. */
export function addTroubles(
  troubles: readonly ServiceTrouble[],
  launch: number,
  refs: readonly ServerRef[],
  context: FailureSink,
): void {
  for (const { name, ...trouble } of troubles) {
    const needing = context.record.plan.services.find((each) => each.name === name)?.targets ?? [];
    const servers = refs.filter(({ target }) => needing.includes(target));
    add(
      { name, launch, when: 'start', ...trouble, servers: servers.map(({ server }) => server) },
      context,
    );
  }
}

/** Puts a service down that died, and takes the servers that need it out of `servers`. */
export function loseService(
  failure: Omit<ServiceFailure, 'servers'>,
  servers: Map<string, RunningServer>,
  context: FailureSink,
): void {
  const serviceLost = [...servers.values()].filter(({ spec }) => {
    return spec.services.some(({ name }) => name === failure.name);
  });
  for (const { spec } of serviceLost) servers.delete(spec.key);
  add({ ...failure, servers: serviceLost.map(({ spec }) => spec.key) }, context);
}

function add(failure: ServiceFailure, { record, onServiceFailure }: FailureSink): void {
  record.serviceFailures.push(failure);
  onServiceFailure(failure);
}
