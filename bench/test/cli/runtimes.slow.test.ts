import { expect, test } from 'vitest';
import { ownPlace } from '../support/leftovers.ts';
import { isRegistryWithinReach, registryEnvironment } from '../support/registry.ts';
import { start } from './harness.ts';

const isWithinReach = isRegistryWithinReach();
const toRegistry = registryEnvironment();
const place = ownPlace();

test.skipIf(!isWithinReach)(
  'Express 4 comes from the registry and serves beside Express 5 (skipped where that is not within reach)',
  async () => {
    const args = ['verify', '-t', 'express-app', '--with', 'express@4', '--topology', 'single'];
    const environment = { ...toRegistry, PATH: process.env.PATH ?? '' };
    const { code, stdout, stderr } = await start(place, args, environment).finished;
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^Express \(express 4\.\d+\.\d+\) /m);
    expect(stdout).toContain('2 of 2 servers answer as declared');
  },
);
