import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();

/** A workload with one target, and an npm that logs its commands and exits with this code. */
function workload(name: string, exitCode = 0) {
  const folder = join(place.folder, name);
  const npm = `#!/bin/sh\nsleep 0.2\necho "$1" >> asked\nexit ${exitCode}\n`;
  chmodSync(place.write(`${name}/bin/npm`, npm), 0o755);
  for (const each of ['target', 'node_modules']) mkdirSync(join(folder, each));
  const lockfile = (text: string) => place.write(`${name}/package-lock.json`, text);
  lockfile('{}');
  const install = () => {
    return execa(process.execPath, [join(ROOT, 'workloads/install.mjs')], {
      cwd: join(folder, 'target'),
      env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
      reject: false,
    });
  };
  const asked = () => readFileSync(join(folder, 'asked'), 'utf8');
  return { lockfile, install, asked };
}

test('packages are installed once, until the lockfile changes', async () => {
  const { install, asked, lockfile } = workload('twice');
  await install();
  expect((await install()).exitCode).toBe(0);
  expect(asked()).toBe('ci\n');
  lockfile('{ "changed": true }');
  await install();
  expect(asked()).toBe('ci\nci\n');
});

test('two processes at a time install once', async () => {
  const { install, asked } = workload('together');
  const codes = (await Promise.all([install(), install()])).map(({ exitCode }) => exitCode);
  expect(codes).toEqual([0, 0]);
  expect(asked()).toBe('ci\n');
});

test('a failure has the exit code of npm, and the next call tries again', async () => {
  const { install, asked } = workload('fails', 3);
  expect((await install()).exitCode).toBe(3);
  expect((await install()).exitCode).toBe(3);
  expect(asked()).toBe('ci\nci\n');
});

test('a killed installation does not block the next one', async () => {
  const { install, asked } = workload('abandoned');
  const dead = await execa(process.execPath, ['-p', 'process.pid']);
  place.write('abandoned/.installing', dead.stdout);
  expect((await install()).exitCode).toBe(0);
  expect(asked()).toBe('ci\n');
});
