import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { overhead, promisedBy, recordIn, rowOf } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const FOLDER = join(FIXTURES, 'image');

test('`image` measures the limit and two rates, with what was found out about the answers', async () => {
  const amounts = ['-c', '2', '-d', '0.4', '--slice', '0.2', '--launches', '2', '--warmup', '0.1'];
  const run = await overhead(place, 'image', '--packages', FOLDER, ...amounts, '--out', out);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [], suite: 'image' });
  const { plan, starts } = record;
  expect(plan.basis).toMatchObject({ kind: 'capacity' });
  expect(plan.loads.map(({ id }) => id)).toEqual(['limit', 'served', 'overloaded']);
  for (const { judged } of starts) {
    expect(judged.map(({ figures }) => figures.width)).toEqual([160, 640]);
  }
  expect(run.stdout).toMatch(/^overhead image\n/);
  expect(rowOf(run.stdout, 'Go, libvips (progressive)')).toMatch(/34\.0/);
  expect(run.stdout.replaceAll(/\s+/g, ' ')).toContain('PHP, ImageMagick over Go, libvips');
  expect(run.code).toBe(promisedBy(run.stdout));
  const { code, stdout } = run;
  expect(await overhead(place, 'report', out)).toEqual({ code, stdout, stderr: '' });
});

test('`image` takes no load but its own', async () => {
  const run = await overhead(place, 'image', '--packages', FOLDER, '--rate', '5');
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain("unknown option '--rate'");
});

/** A folder with one server, whose answers a command finds right if they begin with "picture". */
function judgedServer(script: string): string {
  const folder = mkdtempSync(join(place.folder, 'judged-'));
  const target = join(folder, 'server');
  mkdirSync(target);
  const serve = JSON.stringify(join(FIXTURES, 'serve.mjs'));
  writeFileSync(
    join(target, 'main.mjs'),
    `import { serve } from ${serve}; let asked = 0; ${script}`,
  );
  const check = `import { readFileSync } from 'node:fs';
if (!readFileSync(process.argv[2], 'utf8').startsWith('picture')) {
  console.log('it is no picture');
  process.exitCode = 1;
} else console.log('{"bytes":7}');`;
  writeFileSync(join(target, 'check.mjs'), check);
  const bench = {
    ...{ suite: 'image', label: 'Judged', start: ['node', 'main.mjs'], port: 3999 },
    request: { method: 'GET', path: '/' },
    expect: { status: 200, check: ['node', 'check.mjs'] },
  };
  writeFileSync(join(target, 'package.json'), JSON.stringify({ name: 'judged', bench }));
  return folder;
}

test.each([
  { script: "serve((to) => to.end('picture'));", said: '1 of 1 servers answer as declared' },
  {
    script: "serve((to) => to.end('nothing'));",
    said: 'GET /: its check ended with code 1: it is no picture',
  },
  {
    script: "serve((to) => to.end('picture ' + ++asked));",
    said: 'it does not answer the same every time',
  },
])('a server is held to what the check of its answers says: $script', async ({ script, said }) => {
  const args = ['--packages', judgedServer(script), '--topology', 'single'];
  const { stdout } = await overhead(place, 'verify', ...args);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(said);
});
