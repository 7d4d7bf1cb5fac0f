import { UserError } from '../base/errors.ts';
import { DRIVERS } from '../load/drivers.ts';
import { type HostState, problemsOf, type Role } from '../load/host-state.ts';
import { hostsSections, nameOf } from '../report/machines-report.ts';
import { lookOf, type Output } from '../report/terminal/look.ts';
import { renderSections } from '../report/text.ts';
import type { Io, RunRequest } from './command.ts';
import { isLocal } from './servers.ts';

/** Lets named hosts load servers at the address where they see this machine. @throws UserError if they can't. */
export async function onGeneratorHosts(io: Io, { options, given }: RunRequest): Promise<Io> {
  const { generatorHosts: hosts, driver, connections } = options;
  if (hosts.length === 0) return io;
  if (!DRIVERS[driver].sendsFromHosts) {
    throw new UserError(`${driver} only sends from this machine`, 'Add --driver k6.');
  }
  const local = given.url?.find(isLocal);
  if (local !== undefined) {
    throw new UserError(`other machines can't reach ${local}`, 'Give the address that they see.');
  }
  const { backend } = io;
  const states = await backend.inspectHosts(hosts);
  const each = { sender: 'k6', connections: Math.ceil(connections / hosts.length) } as const;
  showHosts(states, { sender: null, connections }, each, io.stderr);
  const addresses = [...new Set(states.flatMap(({ address }) => address ?? []))];
  if (addresses.length !== 1) {
    const message = `the hosts see this machine at ${addresses.join(' and ') || 'no address'}`;
    throw new UserError(message, 'Name hosts of one network.');
  }
  return {
    ...io,
    backend: {
      ...backend,
      startLaunches: (signal) => backend.startLaunches(signal, addresses[0]),
      startGenerator: (cores) => backend.startGenerator(cores, hosts),
    },
  };
}

/** Shows what the machines of a run have: this one, and the others. @throws UserError if one can't fill its role. */
export function showHosts(hosts: readonly HostState[], here: Role, there: Role, stderr: Output) {
  const problems = hosts.flatMap((host) => {
    const found = problemsOf(host, host.name === null ? here : there);
    return found.map((problem) => ({ name: nameOf(host), ...problem }));
  });
  const texts = problems.map(({ name, what, todo }) => `${name}: ${what}. ${todo}`);
  stderr.write(`${renderSections(hostsSections(hosts, texts), lookOf(stderr))}\n`);
  const fatal = problems.find(({ isFatal }) => isFatal);
  if (fatal === undefined) return;
  throw new UserError(`${fatal.name} can't take this load`, 'See the reasons above.');
}
