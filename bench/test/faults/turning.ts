import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnPlace } from '../support/leftovers.ts';

const AS_IT_SHOULD = 50;

/** A server that answers as it should at first, and then in this way, which is a function of the response. */
export function turning(place: OwnPlace, name: string, way: string, before = ''): string[] {
  mkdirSync(place.folder, { recursive: true });
  const path = join(place.folder, `${name}.mjs`);
  const answer = "response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 12 })";
  writeFileSync(
    path,
    `import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
${before}
let answered = 0;
createServer((request, response) => {
  const fine = () => ${answer}.end('Hello World!');
  if (++answered <= ${AS_IT_SHOULD}) return fine();
  ${way}
}).listen(Number(process.env.PORT), process.env.HOST);
`,
  );
  return ['node', path];
}
