/**
 * What node runs first on a machine that is to have the servers: it takes an archive as `archive.ts` makes it from stdin,
 * writes it here, and becomes the program that it is told: `node -e … SECONDS`. It ends where the other side is silent
 * for so long. All of its folder goes with it.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';

const folder = process.cwd();
const [seconds] = process.argv.slice(1);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const end = () => process.exit(1);
let silent = setTimeout(end, seconds * 1000);
let chunks = [];
/** Says how many bytes the archive has; null until it is there. */
let head = null;
const take = (chunk) => {
  clearTimeout(silent);
  silent = setTimeout(end, seconds * 1000);
  chunks.push(chunk);
  if (head === null) {
    const begin = Buffer.concat(chunks);
    const line = begin.indexOf('\n');
    if (line === -1) return;
    head = JSON.parse(begin.subarray(0, line));
    chunks = [begin.subarray(line + 1)];
  }
  if (chunks.reduce((sum, { length }) => sum + length, 0) < head.bytes) return;
  const read = Buffer.concat(chunks);
  clearTimeout(silent);
  process.stdin.off('data', take).off('end', end).pause();
  process.stdin.unshift(read.subarray(head.bytes));
  try {
    unpack(gunzipSync(read.subarray(0, head.bytes)));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  Object.assign(process.env, head.environment);
  process.argv = [process.argv[0], head.program, ...head.args];
  import(`${folder}/${head.program}`);
};
process.stdin.on('data', take).on('end', end);

function unpack(archive) {
  const line = archive.indexOf('\n');
  let at = line + 1;
  for (const { path, mode, bytes, link } of JSON.parse(archive.subarray(0, line))) {
    mkdirSync(dirname(path), { recursive: true });
    if (link !== undefined) symlinkSync(link, path);
    else {
      writeFileSync(path, archive.subarray(at, at + bytes), { mode });
      at += bytes;
    }
  }
}
