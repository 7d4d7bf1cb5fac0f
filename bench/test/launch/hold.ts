/** Starts servers, says so, and holds them until it is killed: NAMES TOPOLOGY-IDS, both as JSON. */
import { z } from 'zod';
import { startContext, startFixtures, TOPOLOGIES } from '../support/fixtures.ts';

const listSchema = z.array(z.string());
const [names = [], ids = []] = process.argv.slice(2).map((list) => {
  return listSchema.parse(JSON.parse(list));
});

const guarded = startContext();
console.log('starting');
const topologies = TOPOLOGIES.filter(({ id }) => ids.includes(id));
const ready = await startFixtures(names, topologies, guarded.context);
const pids = [...ready.servers.values()].flatMap((server) => [
  ...server.pids,
  ...server.managerPids,
]);
console.log(JSON.stringify({ guardian: guarded.guardian, pids: [...new Set(pids)] }));
setInterval(() => {}, 60_000);
