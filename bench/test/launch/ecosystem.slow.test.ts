import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { PACKAGES, ROOT } from '../../src/base/places.ts';
import { pm2Apps } from '../../src/launch/pm2.ts';
import { HOST } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import { type LocalTarget, readTargets } from '../../src/targets/targets.ts';
import { OLDEST, OLDEST_VERSION } from '../support/fake-npm.ts';
import { ownPlace } from '../support/leftovers.ts';
import { socketsOn } from '../support/processes.ts';
import { problemAt } from '../support/raw-server.ts';

const require = createRequire(import.meta.url);
const CONFIG = join(ROOT, 'ecosystem.config.js');

const place = ownPlace();
const BIN = join(place.folder, 'bin');

/** A user with that Node, and with pm2 from `npm i -g pm2`. */
const USER = {
  ...place.environment,
  PATH: `${BIN}:${dirname(OLDEST)}:/usr/bin:/bin`,
  PM2_HOME: join(place.folder, 'pm2-user'),
  PM2_DISABLE_VERSION_CHECK: 'true',
};
beforeAll(() => {
  mkdirSync(BIN);
  symlinkSync(require.resolve('pm2/bin/pm2'), join(BIN, 'pm2'));
});
afterEach(async () => {
  if (place.processes().length > 0) await pm2('/', ['kill']);
  await place.untilEmpty(10_000);
});

/** Runs `pm2 …` in a folder. Only `pm2 kill` ends its daemon, which is the user's own. */
function pm2(cwd: string, args: string[], env: Record<string, string> = {}) {
  return execa('pm2', args, { cwd, extendEnv: false, env: { ...USER, ...env }, reject: false });
}

const envSchema = z.object({
  ...{ status: z.string(), exec_mode: z.string() },
  ...{ node_version: z.string(), restart_time: z.int() },
});
const listSchema = z.array(z.object({ name: z.string(), pm2_env: envSchema }));

/** The names of the processes under pm2, which must all run as they should. */
async function listed(): Promise<string[]> {
  const { stdout } = await pm2('/', ['jlist']);
  const list = listSchema.parse(JSON.parse(stdout.slice(stdout.indexOf('[{'))));
  const how = { status: 'online', exec_mode: 'cluster_mode', node_version: OLDEST_VERSION };
  for (const { pm2_env } of list) expect(pm2_env).toEqual({ ...how, restart_time: 0 });
  return list.map(({ name }) => name).sort();
}

/** The targets, and a config like the project's, on free ports: the declared ones may be in use. */
async function onFreePorts() {
  const targets = await Promise.all(
    readTargets(PACKAGES).map(async (target) => ({ ...target, port: await freePort(HOST) })),
  );
  for (const { port } of targets) place.watch(port);
  const ports = Object.fromEntries(targets.map(({ name, port }) => [name, String(port)]));
  const script = `const { apps } = require(${JSON.stringify(CONFIG)});
const ports = ${JSON.stringify(ports)};
module.exports = {
  apps: apps.map((app) => ({ ...app, env: { ...app.env, PORT: ports[app.name] } })),
};`;
  return { targets, config: place.write('ecosystem.config.js', script) };
}

/** How the first answer of a target on its port differs from the declared one; null if it does not. */
function problemOn(target: LocalTarget): Promise<string | null> {
  const ask = () => problemAt(`http://${HOST}:${target.port}`, target);
  return vi.waitFor(ask, { timeout: 20_000, interval: 50 });
}

test('the oldest Node here is the oldest that the frameworks allow', () => {
  // Of the frameworks Nest requires the newest Node.
  const engines = z.object({ engines: z.object({ node: z.string() }) });
  const manifest = createRequire(join(PACKAGES, 'nest-express/'))('@nestjs/core/package.json');
  expect(`>= ${OLDEST_VERSION}`).toBe(`${engines.parse(manifest).engines.node}.0.0`);
});

test('loading the config lists every app, and leaves nothing running or written', async () => {
  const before = readdirSync(place.folder);
  const print = `JSON.stringify(require(${JSON.stringify(CONFIG)}))`;
  const env = { ...place.environment, INSTANCES: '3' };
  const options = { extendEnv: false, env, timeout: 20_000 };
  const { stdout } = await execa(OLDEST, ['--print', print], options);
  expect(JSON.parse(stdout)).toEqual({ apps: pm2Apps('3') });
  expect(place.processes()).toEqual([]);
  expect(readdirSync(place.folder)).toEqual(before);
});

test("`pm2 start ecosystem.config.js` starts every target with anyone's pm2", async () => {
  const { targets } = await onFreePorts();
  await pm2(place.folder, ['start', 'ecosystem.config.js'], { INSTANCES: '1' });
  for (const target of targets) expect(await problemOn(target), target.name).toBeNull();
  expect(await listed()).toEqual(targets.map(({ name }) => name).sort());
});

test('`--only` starts one of them, `INSTANCES` so many processes, from any folder', async () => {
  const { targets, config } = await onFreePorts();
  const target = targets.find(({ name }) => name === 'fib-cpu');
  if (target === undefined) throw new Error('no fib-cpu');
  await pm2('/', ['start', config, '--only', target.name], { INSTANCES: '2' });
  expect(await problemOn(target)).toBeNull();
  expect(await listed()).toEqual([target.name, target.name]);
  expect(targets.filter(({ port }) => socketsOn(port, 'listening') > 0)).toEqual([target]);
});

test('errors of the user are shown without a stack', async () => {
  const env = { INSTANCES: 'many' };
  const { exitCode, stderr } = await pm2(ROOT, ['start', 'ecosystem.config.js'], env);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /malformated\nerror: INSTANCES=many is not a number of processes\nUse 1, 2, … or max\.$/,
  );
});
