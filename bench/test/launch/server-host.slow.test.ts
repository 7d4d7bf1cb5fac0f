/** Servers on another machine, and the load from this one. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, expectAnswers, recordIn, SHORT, startCommand } from '../cli/harness.ts';
import { type Hosts, NO_HOSTS, startHosts } from '../support/hosts.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');

describe.skipIf(NO_HOSTS !== null)('a machine that has the servers', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    hosts = await startHosts(place, ['box'], [], [dirname(process.execPath)]);
    place.keep();
  });
  afterAll(() => hosts[Symbol.asyncDispose]());
  const start = (...args: string[]) => {
    const command = hosts.here([process.execPath, CLI, ...args]);
    return startCommand(place, command, hosts.environment);
  };
  /** A folder of one target that needs nothing beside itself but a dependency, and answers as it declares. */
  const targets = () => {
    const folder = join(place.folder, 'targets/app');
    const dependency = join(place.folder, 'dependency');
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    mkdirSync(dependency, { recursive: true });
    writeFileSync(join(dependency, 'package.json'), '{ "name": "greeting", "main": "main.js" }');
    writeFileSync(join(dependency, 'main.js'), "module.exports = 'Hello World!';");
    rmSync(join(folder, 'node_modules/greeting'), { force: true });
    symlinkSync(dependency, join(folder, 'node_modules/greeting'));
    const bench = {
      ...{ suite: 'frameworks', label: 'App', start: ['node', 'main.js'] },
      request: { method: 'GET', path: '/' },
      expect: { status: 200, headers: {}, body: 'Hello World!' },
    };
    const manifest = { name: 'app', dependencies: { greeting: '1' }, bench };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const server =
      "require('node:http').createServer((_, response) => response.end(require('greeting'))).listen(process.env.PORT, process.env.HOST);";
    writeFileSync(join(folder, 'main.js'), server);
    return [
      '--packages',
      join(place.folder, 'targets'),
      '--targets',
      'app',
      '--topology',
      'single',
    ];
  };
  const untilClean = async (timeoutMs = 5000) => {
    await eventually(
      () => hosts.running('box').length === 0 && hosts.left('box').length === 0,
      timeoutMs,
    );
    expect({ running: hosts.running('box'), left: hosts.left('box') }).toEqual({
      running: [],
      left: [],
    });
  };

  test('starts them, is read there, and the record and the page are here', async () => {
    const run = await start(
      'frameworks',
      ...targets(),
      ...SHORT,
      '--server-host',
      'box',
      '--out',
      out,
    ).finished;
    expect(run.stderr).toContain('Copying the harness and the servers to box.');
    expect(run.code, run.stderr).toBe(0);
    const record = recordIn(out);
    expect(record).toMatchObject({ state: 'complete', failures: [] });
    expectAnswers(record);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('requests/s');
    await untilClean();
  });
});
