/** Starts servers with a CPU limit, says so, and holds them until it is killed. */
import { launch } from '../../src/launch/launch.ts';
import { HOST } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import { CLUSTER_OF_2, fixture, SINGLE, startContext } from '../support/fixtures.ts';

const guarded = startContext();
console.log('starting');
const target = { ...fixture('ok'), cpuLimit: 0.5 };
const specs = await Promise.all(
  [SINGLE, CLUSTER_OF_2].map(async (topology) => {
    const key = `ok/${topology.id}`;
    return { key, target, topology, port: await freePort(HOST), services: [] };
  }),
);
const { started } = await launch(specs, guarded.context);
const pids = started.flatMap(({ outcome }) => {
  return outcome.state === 'running' ? [...outcome.server.pids, ...outcome.server.managerPids] : [];
});
console.log(JSON.stringify({ guardian: guarded.guardian, pids }));
setInterval(() => {}, 60_000);
