import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readJson, saveJson, type Versioned } from '../../src/base/json-file.ts';
import { userError } from '../support/caught.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NEXT = 'Name a record that a run has saved; they are in results/.';

const schema = z.object({
  schema: z.literal('test.thing'),
  version: z.literal(3),
  steps: z.array(z.string()),
  amount: z.number(),
});
const old = z.looseObject({ steps: z.array(z.string()) });

/** A step that says that it was taken, and leads to this version. */
function step(from: number) {
  return (saved: unknown) => {
    const { steps, ...rest } = old.parse(saved);
    return { ...rest, version: from + 1, steps: [...steps, `from ${from}`] };
  };
}

const THINGS: Versioned<z.infer<typeof schema>> = { schema, upgrades: [step(1), step(2)] };
const THING = { schema: 'test.thing', version: 3, steps: [], amount: 7 };

/** What a file that holds this is read as. */
function read(content: unknown, kinds = [THINGS]) {
  using folder = temporaryFolder();
  return readJson(folder.write('thing.json', content), kinds);
}

/** The refusal of a file that holds this, without where it was. */
function refusal(content: unknown, kinds = [THINGS]) {
  using folder = temporaryFolder();
  const path = folder.write('thing.json', content);
  const { message, next, cause } = userError(() => readJson(path, kinds));
  return { message: message.replace(path, 'FILE'), next, cause };
}

describe('a record of this version', () => {
  test('is read as it is, without a step', () => {
    expect(read(THING)).toEqual(THING);
  });

  test('is told by its schema, whichever of several it is of', () => {
    const other = z.object({ schema: z.literal('test.other'), version: z.literal(1) });
    const others: Versioned<z.infer<typeof other>> = { schema: other, upgrades: [] };
    using folder = temporaryFolder();
    const path = folder.write('other.json', { schema: 'test.other', version: 1 });
    const kinds: Versioned<z.infer<typeof other> | z.infer<typeof schema>>[] = [THINGS, others];
    expect(readJson(path, kinds)).toEqual({ schema: 'test.other', version: 1 });
  });

  test('is refused where it is damaged, with the place and the cause', () => {
    const { message, next, cause } = refusal({ ...THING, amount: 'much' });
    expect(message).toMatch(/^FILE is damaged: amount: .*expected number/);
    expect(next).toBe(NEXT);
    expect(cause).toBeInstanceOf(z.ZodError);
  });
});

describe('a record of an older version', () => {
  test('is brought up to date version by version', () => {
    expect(read({ ...THING, version: 2 })).toEqual({ ...THING, steps: ['from 2'] });
    expect(read({ ...THING, version: 1 })).toEqual({ ...THING, steps: ['from 1', 'from 2'] });
  });

  test.each([
    { upgrades: [step(2)], from: 1, read: 'version 2 and later' },
    { upgrades: [], from: 2, read: 'version 3 and later' },
  ])('is refused where no step leads from $from, with what is read', ({ upgrades, from, read }) => {
    expect(refusal({ ...THING, version: from }, [{ schema, upgrades }])).toMatchObject({
      message: `FILE is a record of version ${from}; this release reads ${read}`,
      next: 'Read it with the release of overhead that wrote it.',
    });
  });

  test('is refused where it is damaged: where a step finds it, or what it came to does not fit', () => {
    const found = refusal({ ...THING, version: 1, steps: 'none' });
    expect(found.message).toMatch(/^FILE is damaged: steps: .*expected array/);
    expect(found.next).toBe(NEXT);
    expect(found.cause).toBeInstanceOf(z.ZodError);
    expect(refusal({ ...THING, version: 2, amount: null }).message).toMatch(
      /^FILE is damaged: amount: .*expected number/,
    );
  });

  test('does not hide a defect of a step', () => {
    const upgrades = [
      () => {
        throw new TypeError('a defect');
      },
    ];
    expect(() => read({ ...THING, version: 2 }, [{ schema, upgrades }])).toThrow(TypeError);
  });
});

test.each([
  [4, 'up to version 3'],
  [0, 'version 1 and later'],
  [-1, 'version 1 and later'],
])('a record of version %d is refused, with what is read', (version, read) => {
  expect(refusal({ ...THING, version }).message).toBe(
    `FILE is a record of version ${version}; this release reads ${read}`,
  );
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

test('what is saved is one line of JSON, and is read again', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'new', 'thing.json');
  await saveJson(path, THING);
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(THING)}\n`);
  expect(readJson(path, [THINGS])).toEqual(THING);
});

describe('a compressed record', () => {
  const packed = gzipSync(JSON.stringify(THING));

  test.each(['thing.json.gz', 'thing.json'])('is read, whatever its name: %s', (name) => {
    using folder = temporaryFolder();
    const path = join(folder.path, name);
    writeFileSync(path, packed);
    expect(readJson(path, [THINGS])).toEqual(THING);
  });

  test('is not looked for where the name alone says so', () => {
    using folder = temporaryFolder();
    expect(readJson(folder.write('thing.json.gz', THING), [THINGS])).toEqual(THING);
  });

  test.each([
    { what: 'cut off', content: packed.subarray(0, -12) },
    { what: 'no more than its first bytes', content: packed.subarray(0, 2) },
    { what: 'changed within', content: Buffer.concat([packed.subarray(0, 20), packed]) },
    { what: 'no gzip behind its first bytes', content: Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]) },
  ])('is refused where it is $what', ({ content }) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'thing.json.gz');
    writeFileSync(path, content);
    const { message, next } = userError(() => readJson(path, [THINGS]));
    expect(message).toMatch(`can't unpack ${path}: `);
    expect(next).toBe('It may have been cut off: copy it again, or name another file.');
  });

  test('is refused where no JSON is in it', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'thing.json.gz');
    writeFileSync(path, gzipSync('no JSON'));
    const { message } = userError(() => readJson(path, [THINGS]));
    expect(message).toMatch(`can't read ${path}: `);
  });

  test('is what is saved under a name that ends in .gz, and is read again', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'new', 'thing.json.gz');
    await saveJson(path, THING);
    expect(gunzipSync(readFileSync(path)).toString()).toBe(`${JSON.stringify(THING)}\n`);
    expect(readJson(path, [THINGS])).toEqual(THING);
  });
});
