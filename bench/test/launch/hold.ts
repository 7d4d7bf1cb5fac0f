/**
 * Starts servers, and holds them until it is killed: NAMES TOPOLOGY-IDS CPU-LIMIT, as JSON. Prints the name of the run's
 * folder, and what runs once all have started.
 */
import { basename } from 'node:path';
import { z } from 'zod';
import { startVerified } from '../../src/launch/ready.ts';
import { fixtures, serversIn, startContext, WAYS } from '../support/fixtures.ts';

const asked = z.tuple([z.array(z.string()), z.array(z.string()), z.number().nullable()]);
const [names, ids, cpuLimit] = asked.parse(JSON.parse(process.argv[2] ?? ''));

const { context, guardian } = startContext({ startTimeoutMs: 60_000 });
console.log(basename(context.folder));
const topologies = WAYS.filter(({ id }) => ids.includes(id));
const targets = fixtures(...names).map((target) => ({ ...target, cpuLimit }));
const wanted = serversIn(topologies, targets);
const { servers } = await startVerified({ servers: wanted, services: [] }, context);
const pids = [...servers.values()].flatMap((server) => [...server.pids, ...server.managerPids]);
console.log(JSON.stringify({ guardian, pids: [...new Set(pids)] }));
setInterval(() => {}, 60_000);
