import { UserError } from '../base/errors.ts';
import { driverNamed } from '../load/drivers.ts';
import { type HostState, problemsOf } from '../load/host-state.ts';
import { hostsSections, nameOf, type RunHost } from '../report/hosts.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import type { RunRequest } from '../request/run-command.ts';
import type { Io } from './command.ts';
import { isLocal } from './named-servers.ts';

const K6 = 'k6' as const;

/**
 * What a command is given of the world, with load from the hosts that it names: it shows what they have, and servers
 * listen where they see this machine. @throws UserError where they can't send the load.
 */
export async function onGeneratorHosts(io: Io, { options, given }: RunRequest): Promise<Io> {
  const { generatorHosts: hosts, driver, connections } = options;
  if (hosts.length === 0) return io;
  if (!driverNamed(driver).sendsFromHosts) {
    throw new UserError(`${driver} sends from this machine alone`, 'Add --driver k6.');
  }
  const local = given.url?.find(isLocal);
  if (local !== undefined) {
    throw new UserError(`other machines can't reach ${local}`, 'Give the address that they see.');
  }
  const states = await io.backend.inspectHosts(hosts);
  const each = Math.ceil(connections / hosts.length);
  showHosts(
    states.map((state) => {
      const isThis = state.name === null;
      const role = isThis ? { sender: null, connections } : { sender: K6, connections: each };
      return { state, role };
    }),
    io,
  );
  const address = addressFor(states);
  const { backend } = io;
  return {
    ...io,
    backend: {
      ...backend,
      startLaunches: (signal) => backend.startLaunches(signal, address),
      startGenerator: (cores) => backend.startGenerator(cores, hosts),
    },
  };
}

/** Shows what the machines of a run have. @throws UserError where one can't do what it is for. */
export function showHosts(hosts: readonly RunHost[], { stderr }: Pick<Io, 'stderr'>): void {
  stderr.write(`${renderSections(hostsSections(hosts), lookOf(stderr))}\n`);
  const unfit = hosts.find(({ state, role }) => {
    return problemsOf(state, role).some(({ isFatal }) => isFatal);
  });
  if (unfit === undefined) return;
  throw new UserError(`${nameOf(unfit.state)} can't take this load`, 'See the reasons above.');
}

/** Where all of them see this machine. */
function addressFor(states: readonly HostState[]): string {
  const addresses = [...new Set(states.flatMap((state) => state.address ?? []))];
  const [address] = addresses;
  if (address !== undefined && addresses.length === 1) return address;
  throw new UserError(
    `the hosts see this machine at ${addresses.join(' and ') || 'no address'}`,
    'Name hosts of one network.',
  );
}
