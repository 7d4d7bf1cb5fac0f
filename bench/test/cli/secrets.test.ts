import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { simulate } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('neither a record nor its page has what is given in headers, bodies, users of addresses and variables', async () => {
  using folder = temporaryFolder();
  const out = join(folder.path, 'run.json');
  const secrets = [
    '--header',
    'authorization: planted',
    '--body',
    'planted',
    '--env',
    'KEY=planted',
  ];
  const run = await simulate(['run', 'node server.js', ...secrets, '--out', out]);
  const url = ['--url', 'http://me:planted@127.0.0.1:9'];
  const up = await simulate(['run', ...url, ...secrets.slice(0, 4), '--out', out]);
  expect([run.code, up.code], run.stderr + up.stderr).toEqual([0, 0]);
  const kept = ['run.json', 'run.html'].map((name) =>
    readFileSync(join(folder.path, name), 'utf8'),
  );
  for (const text of [...kept, run.stdout, run.stderr, up.stdout, up.stderr]) {
    expect(text).not.toContain('planted');
  }
  expect(kept[0]).toContain('"headers":{"authorization":"…"}');
  expect(kept[0]).toContain('http://…@127.0.0.1:9');
});
