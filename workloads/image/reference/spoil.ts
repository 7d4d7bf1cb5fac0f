// What the least closeness has to tell apart: prints, width by width, how close the reference itself is once it
// is encoded as an answer is, the same shifted by one pixel, and one made by nearest-neighbour.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { heightAt, referencePath, SIZE, SOURCE, WIDTHS } from '../picture/files.ts';
import { closenessOf, lightOf } from './closeness.ts';

const QUALITY = 80;
const CHANNELS = 3;

const source = await sharp(SOURCE).raw().toBuffer();
const rows = [];
for (const width of WIDTHS) {
  const right = readFileSync(referencePath(width));
  const height = heightAt(width);
  const closeness = async (pixels: Uint8Array) => {
    const raw = { width, height, channels: CHANNELS } as const;
    const jpeg = await sharp(pixels, { raw }).jpeg({ quality: QUALITY }).toBuffer();
    return closenessOf(lightOf(await sharp(jpeg).raw().toBuffer()), lightOf(right));
  };
  const made = (from: Uint8Array, at: (x: number, y: number) => number) => {
    return Uint8Array.from({ length: right.length }, (_, place) => {
      const pixel = Math.floor(place / CHANNELS);
      const first = at(pixel % width, Math.floor(pixel / width)) * CHANNELS;
      return from[first + (place % CHANNELS)] ?? 0;
    });
  };
  const middle = (place: number, size: number, full: number) => {
    return Math.floor(((place + 0.5) * full) / size);
  };
  rows.push({
    width,
    right: await closeness(right),
    shiftedRight: await closeness(made(right, (x, y) => y * width + Math.max(0, x - 1))),
    shiftedDown: await closeness(made(right, (x, y) => Math.max(0, y - 1) * width + x)),
    nearest: await closeness(
      made(source, (x, y) => {
        return middle(y, height, SIZE.height) * SIZE.width + middle(x, width, SIZE.width);
      }),
    ),
  });
}
process.stdout.write(`${JSON.stringify(rows)}\n`);
