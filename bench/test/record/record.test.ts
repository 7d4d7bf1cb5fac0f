import { chmodSync, closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { newRecord, type RunRecord, readRecord, saveRecord } from '../../src/record/record.ts';
import { userError } from '../support/caught.ts';
import { makeRecord, STACK } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FAILURE = {
  server: 'top/single',
  launch: 1,
  when: 'slice' as const,
  message: 'it died',
  logTail: ['out of memory'],
  died: true,
};
const RECORD = makeRecord({ failures: [FAILURE], firstTableNs: 5e9 }, (_cell, launch, round) => ({
  ok: 100 * launch + round,
  latenciesMs: [1.5, 2],
}));

describe('a saved record', () => {
  test('is read again as it was', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'run.json');
    await saveRecord(path, RECORD);
    expect(readRecord(path)).toEqual(RECORD);
    expect(RECORD.slices).not.toEqual([]);
  });

  test('holds what a server says of its own handler', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'run.json');
    const handler = { medianNs: 3070, meanNs: 3120.5, gcNs: 12 };
    const slices = RECORD.slices.map((slice) => ({ ...slice, handler }));
    await saveRecord(path, { ...RECORD, slices });
    expect(readRecord(path).slices).toEqual(slices);
  });

  test('holds how its servers were warmed up', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'run.json');
    const batches = [{ asked: 1500, answers: 1500, ns: 1.5e8, cpuNs: 7.5e7, bytes: 80e6 }];
    const warmup = { server: 'top/single', launch: 0, batches, ns: 1.5e8 };
    const warmups: RunRecord['warmups'] = [
      { ...warmup, outcome: 'settled' },
      { ...warmup, outcome: 'capped' },
    ];
    await saveRecord(path, { ...RECORD, warmups });
    expect(readRecord(path).warmups).toEqual(warmups);
  });

  test('says nothing of where its targets were on this machine', () => {
    expect(STACK.map(({ directory }) => directory)).not.toContain(undefined);
    expect(JSON.stringify(RECORD)).not.toContain('/packages/');
  });

  test('makes the folder it goes to, and leaves no other file there', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'new', 'folder', 'run.json');
    await saveRecord(path, RECORD);
    await saveRecord(path, { ...RECORD, state: 'interrupted' });
    expect(readdirSync(join(folder.path, 'new', 'folder'))).toEqual(['run.json']);
    expect(readRecord(path).state).toBe('interrupted');
  });

  test('replaces the old one whole: who reads the old file meanwhile still has it', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'run.json');
    await saveRecord(path, RECORD);
    const old = openSync(path, 'r');
    try {
      await saveRecord(path, { ...RECORD, slices: [] });
      expect(JSON.parse(readFileSync(old, 'utf8'))).toEqual(RECORD);
    } finally {
      closeSync(old);
    }
    expect(readRecord(path).slices).toEqual([]);
  });

  test('is the last one of several saved at once', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'run.json');
    await Promise.all([1, 2, 3].map((wallNs) => saveRecord(path, { ...RECORD, wallNs })));
    expect(readRecord(path).wallNs).toBe(3);
    expect(readdirSync(folder.path)).toEqual(['run.json']);
  });

  test('that cannot be written is a UserError that names --out', async () => {
    using folder = temporaryFolder();
    const file = folder.write('file', 'no folder');
    const save = saveRecord(join(file, 'run.json'), RECORD);
    await expect(save).rejects.toBeInstanceOf(UserError);
    await expect(save).rejects.toMatchObject({
      message: expect.stringMatching(/can't save the record: .*(ENOTDIR|EEXIST)/),
      next: expect.stringContaining('--out'),
    });
  });
});

describe('reading a record', () => {
  /** The refusal of a file that holds this. */
  function refusal(content: unknown): { message: string; next: string; path: string } {
    using folder = temporaryFolder();
    const path = folder.write('run.json', content);
    const { message, next } = userError(() => readRecord(path));
    return { message, next, path };
  }

  test('refuses a file that is not there', () => {
    expect(userError(() => readRecord('/no/such/run.json')).message).toMatch(
      /can't read \/no\/such\/run\.json: ENOENT/,
    );
  });

  test.skipIf(process.getuid?.() === 0)('refuses a file that may not be read', () => {
    using folder = temporaryFolder();
    const path = folder.write('run.json', RECORD);
    chmodSync(path, 0o000);
    expect(userError(() => readRecord(path)).message).toMatch(/EACCES/);
  });

  test('refuses a file that is not JSON, such as one cut off', () => {
    const { message, path } = refusal(JSON.stringify(RECORD).slice(0, -20));
    expect(message).toContain(`can't read ${path}: `);
    expect(message).toMatch(/JSON/);
  });

  test.each([{}, [], null, { schema: 'other.run', version: 1 }, { schema: 'overhead.run' }])(
    'refuses %j as foreign',
    (content) => {
      const { message, next, path } = refusal(JSON.stringify(content));
      expect(message).toBe(`${path} is not a record of overhead`);
      expect(next).toContain('results/');
    },
  );

  test.each([
    [1, 'version 8 and later'],
    [7, 'version 8 and later'],
    [99, 'up to version 8'],
  ])('refuses a record of version %d, and names those that it reads', (version, read) => {
    const { message, next, path } = refusal({ ...RECORD, version });
    expect(message).toBe(`${path} is a record of version ${version}; this release reads ${read}`);
    expect(next).toBe('Read it with the release of overhead that wrote it.');
  });

  test.each([
    [
      'slices.0.measurement.windowNs',
      (text: string) => text.replace('"windowNs":1000000000', '"windowNs":"long"'),
    ],
    ['state', (text: string) => text.replace('"state":"complete"', '"state":"done"')],
    ['startedAt', (text: string) => text.replace('2026-01-02T03', 'yesterday')],
    ['slices.0.handler', (text: string) => text.replace('"handler":null', '"handler":0.003')],
    ['failures.0.died', (text: string) => text.replace(',"died":true', '')],
    ['machine.cores', (text: string) => text.replace('"cores":[0,1,2,3]', '"cores":[]')],
  ])('names what is damaged: %s', (where, damage) => {
    const text = JSON.stringify(RECORD);
    expect(damage(text)).not.toBe(text);
    const { message, path } = refusal(damage(text));
    expect(message.startsWith(`${path} is damaged: ${where}: `)).toBe(true);
  });
});

test('a new record is running, began when it began, and has seen nothing', () => {
  const { machine, plan } = RECORD;
  const startedAt = new Date('2026-05-06T07:08:09.123Z');
  const record = newRecord({ suite: 'frameworks', machine, targets: STACK, plan }, startedAt);
  expect(record).toMatchObject({ state: 'running', startedAt: '2026-05-06T07:08:09.123Z' });
  expect(record).toMatchObject({ slices: [], failures: [], wallNs: 0, firstTableNs: null });
  expect(record).toMatchObject({ suite: 'frameworks', warmups: [] });
});

test('a record is one line, with an end of line', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'run.json');
  await saveRecord(path, RECORD);
  expect(readFileSync(path, 'utf8')).toMatch(/^\{.*\}\n$/);
});
