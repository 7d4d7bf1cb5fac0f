import { UserError } from '../base/errors.ts';
import { PACKAGES } from '../base/places.ts';
import { parallelism } from '../system/parallelism.ts';
import {
  type LocalTarget,
  nodeScript,
  readTargets,
  requireBuilt,
  workingFolder,
} from '../targets/targets.ts';
import { HOST, type ServerSpec, serverEnvironment } from './server.ts';

/** A target as an app of a pm2 config file: so many processes on an address. */
export function pm2App(
  target: LocalTarget,
  instances: number,
  listening: Pick<ServerSpec, 'address' | 'port'>,
  mode: 'cluster' | 'fork' = 'cluster',
) {
  return {
    name: target.name,
    script: nodeScript(target),
    args: target.start.slice(2),
    cwd: workingFolder(target),
    exec_mode: mode,
    instances,
    env: serverEnvironment(target, listening),
  };
}

/**
 * The apps of `ecosystem.config.js`: every target that runs on Node and scales by processes, on the port it
 * declares.
 * `instances` is a number of processes, or `max` for as many as can really run at once: pm2's own
 * `max` counts the machine's cores, also those that this process may not use.
 * @throws UserError for a bad number, a bad `bench` block or a target that is not built.
 */
export function pm2Apps(instances = 'max'): object[] {
  const count = instances === 'max' ? parallelism() : Number(instances);
  if (!Number.isInteger(count) || count < 1) {
    throw new UserError(`INSTANCES=${instances} is no number of processes`, 'Use 1, 2, … or max.');
  }
  const targets = readTargets(PACKAGES).filter((target) => {
    return nodeScript(target) !== null && target.scale.by === 'processes';
  });
  requireBuilt(targets);
  return targets.flatMap((target) => {
    // pm2's monitoring looks into every request.
    if (target.port === null) return [];
    return [{ ...pm2App(target, count, { address: HOST, port: target.port }), pmx: false }];
  });
}
