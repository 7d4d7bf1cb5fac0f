// The first script that runs on a server host, as `node -e … SECONDS`. It unpacks the input that `framed` makes in
// `server-host.ts`, and runs the program that its head names. It exits if it receives nothing for so many seconds.
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';

const folder = process.cwd();
const { stdin } = process;
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const end = () => process.exit(1);
const silence = setTimeout(end, process.argv[1] * 1000);
stdin.on('end', end);

/** The next bytes. `stdin.read(bytes)` would stall for more bytes than a stream buffers. */
async function read(bytes) {
  const chunks = [];
  let size = 0;
  while (size < bytes) {
    const chunk = stdin.read();
    if (chunk === null) {
      await once(stdin, 'readable');
      silence.refresh();
    } else {
      chunks.push(chunk);
      size += chunk.length;
    }
  }
  const all = Buffer.concat(chunks);
  if (size > bytes) stdin.unshift(all.subarray(bytes));
  return all.subarray(0, bytes);
}

const length = Number(await read(10));
const { program, args, environment, bytes } = JSON.parse(await read(length));
const packed = await read(bytes);
clearTimeout(silence);
stdin.off('end', end);
try {
  unpack(gunzipSync(packed));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
Object.assign(process.env, environment);
process.argv = [process.argv[0], program, ...args];
import(`${folder}/${program}`);

function unpack(archive) {
  let at = archive.indexOf('\n') + 1;
  for (const { path, mode, bytes, link } of JSON.parse(archive.subarray(0, at))) {
    mkdirSync(dirname(path), { recursive: true });
    if (link !== undefined) symlinkSync(link, path);
    else writeFileSync(path, archive.subarray(at, at + bytes), { mode });
    at += bytes ?? 0;
  }
}
