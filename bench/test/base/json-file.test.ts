import { chmodSync, closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readJson, saveJson } from '../../src/base/json-file.ts';
import { userError } from '../support/caught.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const schema = z.object({
  schema: z.literal('test.thing'),
  version: z.literal(3),
  amount: z.number(),
});
const other = z.object({ schema: z.literal('test.other'), version: z.literal(1) });
const THING = { schema: 'test.thing', version: 3, amount: 7 };
const NEXT = 'Name a record that a run has saved; they are in results/.';

/** The refusal of a file that holds this, without where it was. */
function refusal(content: string | Buffer) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'thing.json');
  writeFileSync(path, content);
  const { message, next, cause } = userError(() => readJson(path, [schema]));
  return { message: message.replace(path, 'FILE'), next, cause };
}

test('a record is told by its schema, whichever of several it is of', () => {
  using folder = temporaryFolder();
  const path = folder.write('other.json', { schema: 'test.other', version: 1 });
  const read = readJson<z.infer<typeof schema> | z.infer<typeof other>>(path, [schema, other]);
  expect(read).toEqual({ schema: 'test.other', version: 1 });
});

test('a record that is damaged is refused, with the place and the cause', () => {
  const { message, next, cause } = refusal(JSON.stringify({ ...THING, amount: 'much' }));
  expect(message).toMatch(/^FILE is damaged: amount: .*expected number/);
  expect(next).toBe(NEXT);
  expect(cause).toBeInstanceOf(z.ZodError);
});

test.each([
  [4, 'up to version 3'],
  [2, 'version 3 and later'],
  [-1, 'version 3 and later'],
])('a record of version %d is refused, with what is read', (version, read) => {
  expect(refusal(JSON.stringify({ ...THING, version }))).toMatchObject({
    message: `FILE is a record of version ${version}; this release reads ${read}`,
    next: 'Read it with the release of overhead that wrote it.',
  });
});

test.each([
  ...[null, 7, [], {}, { schema: 'test.thing' }],
  ...[
    { ...THING, schema: 'other.thing' },
    { ...THING, version: 2.5 },
  ],
])('what is no record is refused as such: %j', (content) => {
  const message = 'FILE is not a record of overhead';
  expect(refusal(JSON.stringify(content))).toMatchObject({ message, next: NEXT });
});

describe('a file', () => {
  const packed = gzipSync(JSON.stringify(THING));
  const cutOff = 'It may have been cut off: copy it again, or name another file.';

  test.each([
    ['compressed', 'thing.json.gz', packed],
    ['compressed, whatever its name', 'thing.json', packed],
    ['as it is, whatever its name', 'thing.json.gz', JSON.stringify(THING)],
  ])('is read %s', (_, name, content) => {
    using folder = temporaryFolder();
    const path = join(folder.path, name);
    writeFileSync(path, content);
    expect(readJson(path, [schema])).toEqual(THING);
  });

  test.each([
    ['cut off', packed.subarray(0, -12), "can't unpack FILE: ", cutOff],
    ['no more than its first bytes', packed.subarray(0, 2), "can't unpack FILE: ", cutOff],
    ['changed within', Buffer.concat([packed.subarray(0, 20), packed]), "can't unpack ", cutOff],
    ['no gzip behind its first bytes', Buffer.from([0x1f, 0x8b, 1, 2]), "can't unpack ", cutOff],
    ['no JSON', JSON.stringify(THING).slice(0, -5), "can't read FILE: ", NEXT],
    ['no JSON, compressed', gzipSync('no JSON'), "can't read FILE: ", NEXT],
  ])('is refused where it is %s', (_, content, message, next) => {
    const refused = refusal(content);
    expect(refused.message).toContain(message);
    expect(refused.next).toBe(next);
  });

  test('that is not there is refused, and one that may not be read', ({ skip }) => {
    const refusalOf = (path: string) => userError(() => readJson(path, [schema])).message;
    expect(refusalOf('/no/such/run.json')).toMatch(/can't read \/no\/such\/run\.json: ENOENT/);
    skip(process.getuid?.() === 0, 'root may read everything');
    using folder = temporaryFolder();
    const path = folder.write('thing.json', THING);
    chmodSync(path, 0o000);
    expect(refusalOf(path)).toMatch(/EACCES/);
  });
});

describe('what is saved', () => {
  test('is one line of JSON in a folder made for it, compressed where its name says so', async () => {
    using folder = temporaryFolder();
    const [plain, packed] = ['one/thing.json', 'two/thing.json.gz'].map((name) => {
      return join(folder.path, name);
    });
    for (const path of [plain, packed]) await saveJson(path ?? '', THING);
    expect(readFileSync(plain ?? '', 'utf8')).toBe(`${JSON.stringify(THING)}\n`);
    expect(gunzipSync(readFileSync(packed ?? '')).toString()).toBe(`${JSON.stringify(THING)}\n`);
  });

  test('replaces the old one whole, the last of several at once, with no other file beside it', async () => {
    using folder = temporaryFolder();
    const path = folder.write('thing.json', THING);
    const old = openSync(path, 'r');
    await Promise.all([1, 2, 3].map((amount) => saveJson(path, { ...THING, amount })));
    expect(JSON.parse(readFileSync(old, 'utf8'))).toEqual(THING);
    closeSync(old);
    expect(readJson(path, [schema])).toEqual({ ...THING, amount: 3 });
    expect(readdirSync(folder.path)).toEqual(['thing.json']);
  });

  test('but can not be written says so, and names --out', async () => {
    using folder = temporaryFolder();
    const file = folder.write('file', 'no folder');
    const error = await saveJson(join(file, 'run.json'), THING).catch((thrown) => thrown);
    const { message, next } = userError(() => {
      throw error;
    });
    expect(message).toMatch(/can't save the record: .*(ENOTDIR|EEXIST)/);
    expect(next).toContain('--out');
  });
});
