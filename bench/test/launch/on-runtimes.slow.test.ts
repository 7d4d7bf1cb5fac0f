/** Servers run on the runtime of their target, whoever keeps them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startVerified } from '../../src/launch/ready.ts';
import type { Manager, Topology } from '../../src/plan/topology.ts';
import { onRuntimes } from '../../src/targets/copies.ts';
import type { LocalRuntime } from '../../src/targets/runtime.ts';
import { OLDEST, OLDEST_VERSION } from '../support/fake-npm.ts';
import { FIXTURES, fixture, refsOf, startContext, WAYS } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();
const RUNTIMES: LocalRuntime[] = [
  { kind: 'node', version: OLDEST_VERSION, program: OLDEST },
  { kind: 'node', version: process.versions.node, program: process.execPath },
];

/** Whose processes share a port by themselves, which old versions can't. */
const SHARING: Manager[] = ['SO_REUSEPORT', 'worker threads'];

/** A target whose answers tell the version of what runs it, in their head. */
function telling() {
  const directory = join(place.folder, 'telling');
  mkdirSync(directory, { recursive: true });
  const serve = JSON.stringify(join(FIXTURES, 'serve.mjs'));
  writeFileSync(
    join(directory, 'main.mjs'),
    `import { hello, serve } from ${serve};
serve((response) => {
  response.setHeader('x-version', process.versions.node);
  hello(response);
});`,
  );
  return { ...fixture('ok'), name: 'telling', directory };
}

test('servers on two runtimes run at once, whoever keeps them', async () => {
  await using guarded = startContext();
  const targets = onRuntimes([telling()], RUNTIMES);
  const names = targets.map(({ name }) => name);
  await using ready = await startVerified(
    { refs: refsOf(names, WAYS), topologies: WAYS, targets, services: [] },
    guarded.context,
  );
  const isSharing = ({ manager }: Topology) => SHARING.includes(manager);
  const refused = ready.notReady.map(({ server, logTail }) => [server, logTail.join('\n')]);
  expect(refused).toEqual(
    WAYS.filter(isSharing).map(({ id }) => [
      `telling@node-${OLDEST_VERSION}/${id}`,
      expect.stringContaining(`Node ${OLDEST_VERSION} can't share a port: 22.12`),
    ]),
  );
  const told = await Promise.all(
    [...ready.servers].map(async ([key, { origin }]) => {
      const { headers } = await fetch(origin, { headers: { connection: 'close' } });
      return [key, headers.get('x-version')];
    }),
  );
  const expected = WAYS.flatMap((topology) => {
    return RUNTIMES.slice(isSharing(topology) ? 1 : 0).map(({ version }) => {
      return [`telling@node-${version}/${topology.id}`, version];
    });
  });
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(expected));
});
