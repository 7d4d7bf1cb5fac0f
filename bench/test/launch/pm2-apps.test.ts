import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PACKAGES } from '../../src/base/places.ts';
import { pm2Apps } from '../../src/launch/pm2.ts';
import { parallelism } from '../../src/system/machine.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { userError } from '../support/caught.ts';

test.each([
  ['3', 3],
  ['max', parallelism()],
  [undefined, parallelism()],
])("INSTANCES=%s makes each target a cluster without pm2's monitoring", (asked, instances) => {
  const apps = readTargets(PACKAGES).map(({ name, port, directory }) => ({
    ...{ name, script: join(directory, 'dist/main.js'), cwd: directory, instances },
    ...{ exec_mode: 'cluster', pmx: false },
    env: { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) },
  }));
  expect(pm2Apps(asked)).toMatchObject(apps);
});

test.each(['0', '-1', '1.5', 'many', ''])('refuses %j as a number of processes', (instances) => {
  const { message, next } = userError(() => pm2Apps(instances));
  expect(message).toBe(`INSTANCES=${instances} is not a number of processes`);
  expect(next).toContain('max');
});
