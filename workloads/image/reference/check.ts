// Judges an answer, as the harness has it done before any load: `node check.ts WIDTH FILE`. It prints how
// close the picture is to the reference, or what is wrong with it.
import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { heightAt, referencePath } from '../picture/files.ts';
import { closenessOf, LEAST_DB, lightOf } from './closeness.ts';

const [asked, file = ''] = process.argv.slice(2);
const width = Number(asked);
try {
  process.stdout.write(`${JSON.stringify(await figuresOf(readFileSync(file)))}\n`);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function figuresOf(answer: Buffer): Promise<Record<string, number>> {
  const {
    format,
    width: ownWidth,
    height,
    chromaSubsampling,
    exif,
    icc,
  } = await sharp(answer).metadata();
  if (format !== 'jpeg') throw new Error(`it is no JPEG but ${format}`);
  const size = `${ownWidth} × ${height}`;
  const right = `${width} × ${heightAt(width)}`;
  if (size !== right) throw new Error(`the picture has ${size} pixels instead of ${right}`);
  if (chromaSubsampling !== '4:2:0') {
    throw new Error(`its chroma is sampled ${chromaSubsampling} instead of 4:2:0`);
  }
  if (exif || icc) throw new Error('it has metadata, which is to be stripped');
  const pixels = await sharp(answer).raw().toBuffer();
  const psnr = closenessOf(lightOf(pixels), lightOf(readFileSync(referencePath(width))));
  if (psnr < LEAST_DB) {
    throw new Error(
      `it is as close to the reference as a PSNR of ${psnr.toFixed(1)} dB, and ${LEAST_DB} dB are the least`,
    );
  }
  return { width, height, bytes: answer.length, psnr: Number(psnr.toFixed(2)), ...built() };
}

/** What the build of the server came to, which is in the folder of its target. */
function built(): { size?: number; build?: number } {
  return existsSync('dist/built.json') ? JSON.parse(readFileSync('dist/built.json', 'utf8')) : {};
}
