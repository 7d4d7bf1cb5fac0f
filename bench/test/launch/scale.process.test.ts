/** How targets use so many cores where no manager keeps their processes. */

import { describe, expect, test } from 'vitest';
import { launch } from '../../src/launch/launch.ts';
import { environmentOf, HOST } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import {
  CLUSTER_OF_2,
  fixture,
  running,
  SINGLE,
  startContext,
  startFixtures,
} from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();
const THREADED = { ...fixture('ok'), scale: { by: 'threads', env: 'MOST_THREADS' } } as const;

describe('by threads', () => {
  test('the variable says how many cores there are to use', () => {
    const threads = [SINGLE, CLUSTER_OF_2].map((topology) => {
      return environmentOf({ key: 'a', target: THREADED, topology, port: 1, services: [] })
        .MOST_THREADS;
    });
    expect(threads).toEqual(['1', '2']);
  });

  test('a number of cores is one process without a manager', async () => {
    const port = await freePort(HOST);
    place.watch(port);
    await using guarded = startContext();
    const spec = { key: 'ok/2', target: THREADED, topology: CLUSTER_OF_2, port, services: [] };
    await using launched = await launch([spec], guarded.context);
    const outcome = launched.started[0]?.outcome;
    if (outcome?.state !== 'running') throw new Error('it does not run');
    expect(outcome.server.pids).toHaveLength(1);
    expect(outcome.server.managerPids).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('by processes on one port', () => {
  test('so many processes run without a manager, and each of them answers', async () => {
    await using guarded = startContext();
    const topologies = [SINGLE, CLUSTER_OF_2];
    await using ready = await startFixtures(['reuse-port'], topologies, guarded.context);
    const two = running(ready, 'reuse-port/2');
    expect([two.pids.length, two.managerPids.length]).toEqual([2, 0]);
    expect(running(ready, 'reuse-port/single').pids).toHaveLength(1);
  });

  test('a server that does not share its port is a failure with its words', async () => {
    const port = await freePort(HOST);
    place.watch(port);
    await using guarded = startContext();
    const target = { ...fixture('ok'), scale: { by: 'reuse-port' } } as const;
    const spec = { key: 'ok/2', target, topology: CLUSTER_OF_2, port, services: [] };
    await using launched = await launch([spec], guarded.context);
    const outcome = launched.started[0]?.outcome;
    if (outcome?.state !== 'failed') throw new Error('it runs');
    expect(outcome.failure.logTail.join()).toContain('EADDRINUSE');
  });
});
