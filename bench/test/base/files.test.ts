import * as fs from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { readJson, readText, saveJson, saveText } from '../../src/base/files.ts';
import { userError } from '../support/caught.ts';
import { folderOfEach } from '../support/folder-of-each.ts';

const folder = folderOfEach();

const schema = z.object({
  schema: z.literal('test.thing'),
  version: z.literal(3),
  amount: z.number(),
});
const other = z.object({ schema: z.literal('test.other'), version: z.literal(1) });
const THING = { schema: 'test.thing', version: 3, amount: 7 };
const TEXT = JSON.stringify(THING);
const PACKED = gzipSync(TEXT);
const NEXT = 'Name a record that a run has saved; they are in results/.';
const CUT_OFF = 'It may have been cut off: copy it again, or name another file.';

/** The refusal of a file with this content, without its path. */
function refusal(content: string | Buffer) {
  const path = folder.write('thing.json', content);
  const { message, next, cause } = userError(() => readJson(path, [schema]));
  return { message: message.replace(path, 'FILE'), next, cause };
}

test('a record is read by its schema, one of several', () => {
  const record = { schema: 'test.other', version: 1 };
  const path = folder.write('other.json', record);
  const kinds = [schema, other];
  expect(readJson<z.infer<(typeof kinds)[number]>>(path, kinds)).toEqual(record);
});

test.each([
  ['compressed', 'thing.json.gz', PACKED],
  ['compressed, whatever its name', 'thing.json', PACKED],
  ['as it is, whatever its name', 'thing.json.gz', TEXT],
])('a file is read %s', (_, name, content) => {
  expect(readJson(folder.write(name, content), [schema])).toEqual(THING);
});

const OTHER_RELEASE = 'Read it with the release of overhead that wrote it.';
const having = (parts: object) => JSON.stringify({ ...THING, ...parts });
const version = (number: number) => having({ version: number });
const NO_RECORD = [
  ...[null, 7, [], {}, { schema: 'test.thing' }, { ...THING, schema: 'other.thing' }],
  { ...THING, version: 2.5 },
];

const OF_VERSION = 'FILE is a record of version';
const DAMAGED = [
  ...[PACKED.subarray(0, -12), PACKED.subarray(0, 2), Buffer.from([0x1f, 0x8b, 1, 2])],
  Buffer.concat([PACKED.subarray(0, 20), PACKED]),
];
type Refused = [content: string | Buffer, message: string, next: string];
test.each<Refused>([
  [having({ amount: 'much' }), '^FILE is damaged: amount: .*expected number', NEXT],
  [version(4), `^${OF_VERSION} 4; this release reads up to version 3$`, OTHER_RELEASE],
  [version(2), `^${OF_VERSION} 2; this release reads version 3 and later$`, OTHER_RELEASE],
  [version(-1), `^${OF_VERSION} -1; this release reads version 3 and later$`, OTHER_RELEASE],
  ...NO_RECORD.map((content): Refused => {
    return [JSON.stringify(content), '^FILE is not a record of overhead$', NEXT];
  }),
  ...DAMAGED.map((content): Refused => [content, "^can't unpack FILE: ", CUT_OFF]),
  ...[TEXT.slice(0, -5), gzipSync('no JSON')].map((content): Refused => {
    return [content, "^can't read FILE: ", NEXT];
  }),
])('the file %j is refused: %s', (content, message, next) => {
  const refused = refusal(content);
  expect(refused).toMatchObject({ message: expect.stringMatching(new RegExp(message)), next });
  expect(refused.cause instanceof z.ZodError).toBe(refused.message.includes('damaged'));
});

test('a missing or unreadable file is refused', ({ skip }) => {
  const refusalOf = (path: string) => userError(() => readJson(path, [schema])).message;
  expect(refusalOf('/no/such/run.json')).toMatch(/can't read \/no\/such\/run\.json: ENOENT/);
  skip(process.getuid?.() === 0, 'root may read everything');
  const path = folder.write('thing.json', THING);
  fs.chmodSync(path, 0o000);
  expect(refusalOf(path)).toMatch(/EACCES/);
});

describe('a saved file', () => {
  test('is one line of JSON in a folder made for it, compressed if its name says so', async () => {
    const save = async (name: string) => {
      const path = join(folder.path, name);
      await saveJson(path, THING);
      return fs.readFileSync(path);
    };
    expect(String(await save('one/thing.json'))).toBe(`${TEXT}\n`);
    expect(String(gunzipSync(await save('two/thing.json.gz')))).toBe(`${TEXT}\n`);
  });

  test('replaces an old one atomically, and leaves no other file', async () => {
    const path = folder.write('thing.json', THING);
    const old = fs.openSync(path, 'r');
    await Promise.all([1, 2, 3].map((amount) => saveJson(path, { ...THING, amount })));
    expect(JSON.parse(fs.readFileSync(old, 'utf8'))).toEqual(THING);
    fs.closeSync(old);
    expect(readJson(path, [schema])).toEqual({ ...THING, amount: 3 });
    expect(fs.readdirSync(folder.path)).toEqual(['thing.json']);
  });

  test('that can not be written is an error that names --out', async () => {
    const file = folder.write('file', 'no folder');
    await expect(saveJson(join(file, 'run.json'), THING)).rejects.toMatchObject({
      ...{ name: 'UserError', next: expect.stringContaining('--out') },
      message: expect.stringMatching(/can't save the record: .*(ENOTDIR|EEXIST)/),
    });
  });

  const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

  test('is written again if its folder is removed meanwhile', async () => {
    const results = join(folder.path, 'results');
    const file = join(results, 'record.json');
    await saveText(file, 'all of it', 'record', async (path, content) => {
      if (fs.existsSync(`${results}-before`)) return await writeFileAtomic(path, content);
      fs.renameSync(results, `${results}-before`);
      return await failing('ENOENT');
    });
    expect(readText(file)).toBe('all of it');
  });

  test('is not tried again after any other failure', async () => {
    let tries = 0;
    const saved = saveText(join(folder.path, 'record.json'), 'all of it', 'record', () => {
      tries++;
      return failing('ENOSPC');
    });
    await expect(saved).rejects.toThrow("can't save the record: ENOSPC");
    expect(tries).toBe(1);
  });
});
