import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pm2Apps } from '../../src/launch/pm2-app.ts';
import { parallelism } from '../../src/system/parallelism.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { userError } from '../support/caught.ts';

const TARGETS = readTargets(join(import.meta.dirname, '../../../packages'));

test("ecosystem.config.js has every target as a cluster on its own port, without pm2's monitoring", () => {
  expect(pm2Apps('3')).toMatchObject(
    TARGETS.map(({ name, port, directory }) => ({
      name,
      script: join(directory, 'dist/main.js'),
      cwd: directory,
      exec_mode: 'cluster',
      instances: 3,
      pmx: false,
      env: { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) },
    })),
  );
});

test('`max`, which is the default, is as many processes as can run at once', () => {
  const all = TARGETS.map(() => ({ instances: parallelism() }));
  expect(pm2Apps()).toMatchObject(all);
  expect(pm2Apps('max')).toMatchObject(all);
});

test.each(['0', '-1', '1.5', 'many', ''])('refuses %j as a number of processes', (instances) => {
  const { message, next } = userError(() => pm2Apps(instances));
  expect(message).toBe(`INSTANCES=${instances} is no number of processes`);
  expect(next).toContain('max');
});
