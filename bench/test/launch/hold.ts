/** Starts servers of every kind of topology, prints all pids, and holds them until it is killed. */
import { startFixtures } from '../support/fixtures.ts';
import { WAYS } from '../support/topologies.ts';

const patient = { startTimeoutMs: 60_000 };
const { servers, guardian } = await startFixtures(['ok', 'ignores-sigterm'], WAYS, patient);
const pids = [...servers.values()].flatMap((server) => [...server.pids, ...server.managerPids]);
console.log(JSON.stringify([guardian, ...new Set(pids)]));
setInterval(() => {}, 60_000);
