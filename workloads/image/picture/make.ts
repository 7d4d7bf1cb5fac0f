// Makes the picture and what it should be at every width, where they are not there yet. It is drawn from a
// seed and encoded once; its hash says whether that came to the same picture as everywhere.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { resizedByLanczos } from '../reference/lanczos.ts';
import { draw, type Pixels } from './draw.ts';
import { PICTURES, referencePath, SIZE, SOURCE, WIDTHS } from './files.ts';

const SEED = 12;
const QUALITY = 92;
const SHA256 = 'f6d3e21082925dd81172d05fcd7c211d034a90d0d714f73f1c29f68d2adf5d85';

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Whoever looks meanwhile sees all of it or nothing. */
function save(path: string, bytes: Uint8Array): void {
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, bytes);
  renameSync(partial, path);
}

async function encoded({ data, width, height }: Pixels): Promise<Buffer> {
  const jpeg = { quality: QUALITY, chromaSubsampling: '4:2:0', optimiseCoding: false } as const;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg(jpeg)
    .toBuffer();
}

async function makeSource(): Promise<void> {
  const bytes = await encoded(draw(SEED, SIZE.width, SIZE.height));
  const hash = hashOf(bytes);
  if (hash !== SHA256) {
    throw new Error(
      `the picture came to SHA-256 ${hash} instead of ${SHA256}: not the same encoder?`,
    );
  }
  save(SOURCE, bytes);
}

mkdirSync(PICTURES, { recursive: true });
if (!existsSync(SOURCE) || hashOf(readFileSync(SOURCE)) !== SHA256) await makeSource();
const missing = WIDTHS.filter((width) => !existsSync(referencePath(width)));
if (missing.length > 0) {
  const { data } = await sharp(SOURCE).raw().toBuffer({ resolveWithObject: true });
  for (const width of missing)
    save(referencePath(width), resizedByLanczos({ ...SIZE, data }, width));
}
