/** Starts the servers given as JSON, says so, and holds them until it is killed. */
import { z } from 'zod';
import { CLUSTER_OF_1, CLUSTER_OF_2, SINGLE, startContext, startFixtures } from '../fixtures.ts';

const names = z.array(z.string()).parse(JSON.parse(process.argv[2] ?? '[]'));

const guarded = startContext();
console.log('starting');
const topologies = [SINGLE, CLUSTER_OF_1, CLUSTER_OF_2];
const ready = await startFixtures(names, topologies, guarded.context);
const pids = [...ready.servers.values()].flatMap((server) => [
  ...server.pids,
  ...server.managerPids,
]);
console.log(JSON.stringify({ guardian: guarded.guardian, pids: [...new Set(pids)] }));
setInterval(() => {}, 60_000);
