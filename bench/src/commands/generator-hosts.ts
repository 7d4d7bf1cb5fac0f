import { UserError } from '../base/errors.ts';
import { driverNamed } from '../load/drivers.ts';
import { type HostState, problemsOf } from '../load/host-state.ts';
import { hostsSections, nameOf } from '../report/hosts.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import type { RunRequest } from '../request/run-command.ts';
import type { Io } from './command.ts';
import { isLocal } from './named-servers.ts';

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
  io.stderr.write(`${renderSections(hostsSections(states, each), lookOf(io.stderr))}\n`);
  const unfit = states.find((state) => problemsOf(state, each).some(({ isFatal }) => isFatal));
  if (unfit !== undefined) {
    throw new UserError(`${nameOf(unfit)} can't send this load`, 'See the reasons above.');
  }
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

/** Where all of them see this machine. */
function addressFor(states: readonly HostState[]): string {
  const [address, ...others] = new Set(states.flatMap((state) => state.address ?? []));
  if (address !== undefined && others.length === 0) return address;
  throw new UserError(
    `the hosts see this machine at ${[address, ...others].filter((each) => each !== undefined).join(' and ') || 'no address'}`,
    'Name hosts of one network.',
  );
}
