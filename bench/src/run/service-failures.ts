import type { ServiceTrouble } from '../launch/instance.ts';
import type { RunningServer } from '../launch/server.ts';
import type { ServerRef } from '../plan/topology.ts';
import type { ServiceFailure } from '../record/services.ts';
import type { RunContext } from './context.ts';

type Told = Pick<RunContext, 'record' | 'onServiceFailure'>;

/** Puts services down that did not start for these servers. */
export function addTroubles(
  troubles: readonly ServiceTrouble[],
  launch: number,
  refs: readonly ServerRef[],
  context: Told,
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
  context: Told,
): void {
  const bereft = [...servers.values()].filter(({ spec }) => {
    return spec.services.some(({ name }) => name === failure.name);
  });
  for (const { spec } of bereft) servers.delete(spec.key);
  add({ ...failure, servers: bereft.map(({ spec }) => spec.key) }, context);
}

function add(failure: ServiceFailure, { record, onServiceFailure }: Told): void {
  record.serviceFailures.push(failure);
  onServiceFailure(failure);
}
