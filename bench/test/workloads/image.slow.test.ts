import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { LEAST_DB } from '../../../workloads/image/reference/closeness.ts';
import { ROOT } from '../../src/base/places.ts';
import { buildTargets } from '../../src/launch/build.ts';
import { equipped } from '../../src/targets/needs.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { rowOf, start } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { isRegistryWithinReach, registryEnvironment } from '../support/registry.ts';

const IMAGE = join(ROOT, 'workloads/image');
const all = readTargets(IMAGE);
const { targets, leftOut } = equipped(all);
const isInGo = ({ needs }: { needs: string[] }) => needs.includes('go');
/** What fetches and builds finds what the caller's own has fetched and built. */
const CALLERS = {
  ...registryEnvironment(),
  GOCACHE: process.env.GOCACHE ?? join(homedir(), '.cache/go-build'),
  GOPATH: process.env.GOPATH ?? join(homedir(), 'go'),
};
const isInstalled = existsSync(join(IMAGE, 'node_modules/.overhead-installed'));
const lacking =
  isInstalled || isRegistryWithinReach() ? null : "npm's registry is not within reach";

const place = ownPlace();
/** Building takes a while, the first time, and so do pictures in plain Go. */
const PATIENT_MS = 600_000;

const closenessSchema = z.array(
  z.object({
    width: z.int(),
    right: z.number(),
    shiftedRight: z.number(),
    shiftedDown: z.number(),
    nearest: z.number(),
  }),
);

test('every server is asked for the same', () => {
  const [first, ...others] = all.map(({ requests }) => requests);
  expect(first).toHaveLength(10);
  for (const requests of others) expect(requests).toEqual(first);
});

describe('the servers', () => {
  beforeAll(async () => {
    for (const [name, value] of Object.entries(CALLERS)) vi.stubEnv(name, value);
    if (lacking === null) await buildTargets(targets, new AbortController().signal, () => {});
  }, PATIENT_MS);
  afterAll(() => {
    vi.unstubAllEnvs();
  });
  beforeEach(({ skip }) => {
    skip(lacking !== null, lacking ?? '');
  });

  test('answer as declared, in every variant', { timeout: PATIENT_MS }, async ({ annotate }) => {
    for (const sentence of leftOut) await annotate(`left out: ${sentence}`);
    const args = ['verify', '--packages', IMAGE, '--targets', 'all', '--topology', 'single'];
    const { code, stdout, stderr } = await start(place, args, CALLERS).finished;
    expect(code, stdout + stderr).toBe(0);
    for (const { label } of targets) expect(rowOf(stdout, label), label).toMatch(/ ok +\d$/);
    expect(stdout).toContain(`${targets.length} of ${targets.length} servers answer`);
  });

  test('would not pass by nearest-neighbour, nor with a picture that is shifted by a pixel', {
    timeout: PATIENT_MS,
  }, async () => {
    const { stdout } = await execa(process.execPath, ['reference/spoil.ts'], { cwd: IMAGE });
    for (const { width, right, ...wrong } of closenessSchema.parse(JSON.parse(stdout))) {
      expect(right, `${width}`).toBeGreaterThan(LEAST_DB + 1);
      for (const [how, closeness] of Object.entries(wrong)) {
        expect(closeness, `${how} at ${width}`).toBeLessThan(LEAST_DB - 1);
      }
    }
  });

  test('would not pass with a picture of another size, or with none', async () => {
    const check = (width: string, file: string) => {
      const args = ['reference/check.ts', width, file];
      return execa(process.execPath, args, { cwd: IMAGE, reject: false });
    };
    const source = join(IMAGE, 'dist/landscape.jpg');
    expect(await check('640', source)).toMatchObject({
      exitCode: 1,
      stdout: 'the picture has 3000 × 2000 pixels instead of 640 × 427',
    });
    const text = join(place.folder, 'answer');
    writeFileSync(text, 'no picture');
    expect(await check('640', text)).toMatchObject({ exitCode: 1 });
  });

  test('are asked for a picture that is made anew where it is another', async () => {
    const source = join(IMAGE, 'dist/landscape.jpg');
    const before = readFileSync(source);
    writeFileSync(source, 'spoiled');
    try {
      await execa(process.execPath, ['picture/make.ts'], { cwd: IMAGE });
      expect(readFileSync(source).equals(before)).toBe(true);
    } finally {
      writeFileSync(source, before);
    }
  });

  test('and their check are sound in TypeScript', { timeout: PATIENT_MS }, async () => {
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const { stdout, exitCode } = await execa(tsc, ['-p', IMAGE], { reject: false });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });

  test('are sound in Go', { timeout: PATIENT_MS }, async ({ skip }) => {
    skip(!targets.some(isInGo), leftOut.join('; '));
    // That with libvips is compiled with flags of its own.
    const packages = ['./serve', './go-nfnt', './go-draw'];
    const { all: output, exitCode } = await execa('go', ['vet', ...packages], {
      ...{ cwd: IMAGE, env: CALLERS, all: true, reject: false },
    });
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: '' });
  });
});
