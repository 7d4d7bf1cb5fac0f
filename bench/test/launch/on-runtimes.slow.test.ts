/** Servers run on the runtime of their target, whoever keeps them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startVerified } from '../../src/launch/ready.ts';
import { onRuntimes } from '../../src/targets/on-runtimes.ts';
import type { LocalRuntime } from '../../src/targets/runtime.ts';
import { OLDEST, OLDEST_VERSION } from '../support/fake-npm.ts';
import { FIXTURES, fixture, startContext, TOPOLOGIES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();
const RUNTIMES: LocalRuntime[] = [
  { kind: 'node', version: OLDEST_VERSION, program: OLDEST },
  { kind: 'node', version: process.versions.node, program: process.execPath },
];

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

test.each(TOPOLOGIES)('as $id, kept by $manager, two runtimes at once', async (topology) => {
  await using guarded = startContext();
  const targets = onRuntimes([telling()], RUNTIMES);
  const refs = targets.map(({ name }) => {
    return { server: `${name}/${topology.id}`, target: name, topology: topology.id };
  });
  await using ready = await startVerified(
    { refs, topologies: [topology], targets, services: [] },
    guarded.context,
  );
  expect(ready.notReady).toEqual([]);
  const told = await Promise.all(
    [...ready.servers].map(async ([key, { origin }]) => {
      const { headers } = await fetch(origin, { headers: { connection: 'close' } });
      return [key, headers.get('x-version')];
    }),
  );
  expect(told).toEqual(
    RUNTIMES.map(({ version }) => [`telling@node-${version}/${topology.id}`, version]),
  );
});
