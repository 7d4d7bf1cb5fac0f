import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LEAST_DB } from '../../../workloads/image/reference/closeness.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { startAnswering, workload } from '../support/workload.ts';

const { folder: IMAGE, targets, leftOut, isBuilt, areSound } = workload('image');

const place = ownPlace();
/** Plain Go takes a while to scale a picture, and so does the check of one. */
const PATIENT_MS = 300_000;
const closenessSchema = z.array(
  z.object({ width: z.int(), right: z.number() }).catchall(z.number()),
);

test('every server is asked for the same', () => {
  const [first, ...others] = readTargets(IMAGE).map(({ requests }) => requests);
  expect(first).toHaveLength(10);
  for (const requests of others) expect(requests).toEqual(first);
});

describe('the servers', () => {
  isBuilt();

  test('answer as declared, in every variant', { timeout: PATIENT_MS }, async ({ annotate }) => {
    for (const sentence of leftOut) await annotate(`left out: ${sentence}`);
    // The check of a picture takes most of a second, so each server is asked for a fifth of the widths.
    const asked = targets.map((target, server) => {
      const requests = target.requests.filter((_, place) => (place - server) % 5 === 0);
      return { ...target, requests };
    });
    await using _servers = await startAnswering(asked);
  });

  test('would not pass by nearest-neighbour, nor with a picture that is shifted by a pixel', async () => {
    const { stdout } = await execa(process.execPath, ['reference/spoil.ts'], { cwd: IMAGE });
    for (const { width, right, ...wrong } of closenessSchema.parse(JSON.parse(stdout))) {
      expect(Object.keys(wrong).sort()).toEqual(['nearest', 'shiftedDown', 'shiftedRight']);
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

  // The server with libvips is compiled with flags of its own.
  areSound('./serve', './go-nfnt', './go-draw');
});
