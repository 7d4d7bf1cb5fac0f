/** Row 8: ports that others have, and others that answer on them. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/system/free-port.ts';
import { measured, on, overhead, recordIn, rowOf, SHORT } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { odd, targetsIn } from './targets.ts';

const place = ownPlace();
const HOST = '127.0.0.1';

/** Somebody else's server there, until the test is over; where one is already that one does as well. */
async function serveOn(port: number): Promise<void> {
  const headers = { 'content-type': 'text/plain', 'content-length': 12 };
  const server = createServer((_, response) =>
    response.writeHead(200, headers).end('Hello World!'),
  );
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve()).listen(port, HOST, resolve);
  });
  onTestFinished(() => void server.close());
}

test.each([
  ['it ends since the port is taken', {}, /start|verify/, 'EADDRINUSE'],
  [
    'it never listens',
    { start: odd('never-listens') },
    /verify/,
    'another process listens on its port',
  ],
] as const)(
  'another server answers as it should on the port of one, and %s',
  async (_, changes, when, says) => {
    const port = await freePort(HOST);
    await serveOn(port);
    const targets = targetsIn(place, { taken: { ...changes, fixedPort: port }, fine: {} });
    const out = join(place.folder, 'record.json');
    const run = await overhead(place, 'frameworks', ...targets, ...SHORT, '--out', out);
    const { failures, slices } = recordIn(out);
    expect(run.code).toBe(1);
    expect(failures).toMatchObject([{ server: 'taken/single', when: expect.stringMatching(when) }]);
    expect(run.stdout).toContain(says);
    expect(slices.some(({ cell }) => cell.startsWith('taken/'))).toBe(false);
    expect(rowOf(run.stdout, 'fine')).toMatch(/\d/);
  },
);

test('ports 3000 to 3005 in use are no hindrance', async () => {
  for (let port = 3000; port <= 3005; port++) await serveOn(port);
  await measured(place, 'frameworks', ...on(['ok'], 'single'), ...SHORT);
});
