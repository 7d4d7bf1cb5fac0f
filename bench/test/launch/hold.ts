/** Starts servers, says so, and holds them until it is killed: NAMES TOPOLOGY-IDS CPU-LIMIT, each as JSON. */
import { z } from 'zod';
import { startVerified } from '../../src/launch/ready.ts';
import { fixtures, refsOf, startContext, TOPOLOGIES } from '../support/fixtures.ts';

const asked = z.tuple([z.array(z.string()), z.array(z.string()), z.number().nullable()]);
const [names, ids, cpuLimit] = asked.parse(process.argv.slice(2).map((word) => JSON.parse(word)));

const guarded = startContext();
console.log('starting');
const topologies = TOPOLOGIES.filter(({ id }) => ids.includes(id));
const targets = fixtures(...names).map((target) => ({ ...target, cpuLimit }));
const wanted = { refs: refsOf(names, topologies), topologies, targets, services: [] };
const ready = await startVerified(wanted, guarded.context);
const pids = [...ready.servers.values()].flatMap((server) => [
  ...server.pids,
  ...server.managerPids,
]);
console.log(JSON.stringify({ guardian: guarded.guardian, pids: [...new Set(pids)] }));
setInterval(() => {}, 60_000);
