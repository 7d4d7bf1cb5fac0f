import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { BLOCK_KEYS, benchBlock, exchangesOf } from '../../src/targets/block.ts';
import { bytesOf, payloadOf } from '../../src/targets/exchange.ts';
import { userError } from '../support/caught.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COMMON = { suite: 'frameworks', label: 'A server', start: ['node', 'main.js'], port: 3001 };
const GET = { method: 'GET', path: '/' };
const SHORT = { ...COMMON, request: GET, expect: { status: 200, body: 'fine' } };

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}

/** The exchanges of a block with these changes, in a folder of these files. */
function exchanges(changes: object, files: Record<string, string> = {}) {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  return exchangesOf(benchBlock.parse({ ...COMMON, ...changes }), folder.path);
}

/** What is wrong with the block with these changes. */
function problems(changes: object): string[] {
  const { error } = benchBlock.safeParse({ ...COMMON, ...changes });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

test('the table of docs/SERVERS.md has the keys of the block, and no others', () => {
  const tables = lexer(readFileSync(join(ROOT, 'docs/SERVERS.md'), 'utf8')).filter(isTable);
  const keys = tables.find(({ header }) => header[0]?.text === 'key')?.rows;
  expect(keys?.map(([key]) => key?.text).sort()).toEqual(
    BLOCK_KEYS.map((key) => `\`${key}\``).sort(),
  );
});

describe('the short form', () => {
  test('is a single exchange', () => {
    expect(exchanges(SHORT)).toEqual([
      {
        request: { method: 'GET', path: '/', headers: {}, body: null },
        weight: 1,
        expect: {
          status: 200,
          headers: {},
          body: { kind: 'bytes', bytes: { encoding: 'utf8', data: 'fine' } },
        },
      },
    ]);
  });

  test('excludes the long one, and is needed without it', () => {
    const requests = [{ ...GET, expect: SHORT.expect }];
    expect(problems({ ...SHORT, requests })).toEqual([
      'requests: say either requests, or request and expect',
    ]);
    expect(problems({ request: GET })).toEqual([
      'expect: expected object: say request and expect, or requests',
    ]);
    expect(problems({ requests: [] })).toHaveLength(1);
  });
});

describe('what is sent', () => {
  const sent = (request: object, files?: Record<string, string>) => {
    const [exchange] = exchanges({ ...SHORT, request: { ...GET, ...request } }, files);
    return exchange?.request;
  };

  test('is a text, a value as JSON, or a file', () => {
    expect(sent({ body: 'a=1' })).toMatchObject({ headers: {}, body: { data: 'a=1' } });
    expect(sent({ body: { json: { a: [1] } } })).toMatchObject({
      headers: { 'content-type': 'application/json' },
      body: { data: '{"a":[1]}' },
    });
    expect(sent({ body: { file: 'in/a.txt' } }, { 'in/a.txt': '책\n' })).toMatchObject({
      headers: {},
      body: { encoding: 'utf8', data: '책\n' },
    });
  });

  test('keeps a content type that is declared', () => {
    const headers = { 'Content-Type': 'application/vnd.own+json' };
    expect(sent({ headers, body: { json: 1 } })?.headers).toEqual(headers);
  });
});

describe('what is expected', () => {
  const expected = (answer: object, files?: Record<string, string>) => {
    const [exchange] = exchanges({ ...SHORT, expect: { status: 200, ...answer } }, files);
    return exchange?.expect.body;
  };

  test('is a text, a file byte for byte, or a value', () => {
    expect(expected({ body: '' })).toEqual({ kind: 'bytes', bytes: payloadOf(Buffer.alloc(0)) });
    expect(expected({ file: 'a' }, { a: '{ }\n' })).toMatchObject({ bytes: { data: '{ }\n' } });
    expect(expected({ json: { a: null } })).toEqual({ kind: 'json', value: { a: null } });
    expect(expected({ json: { file: 'a' } }, { a: '[1]' })).toEqual({ kind: 'json', value: [1] });
  });

  test('is one of these', () => {
    const says = ['expect.body: say one of body, json, file and check'];
    expect(problems({ ...SHORT, expect: { status: 200 } })).toEqual(says);
    expect(problems({ ...SHORT, expect: { status: 200, body: '', json: 1 } })).toEqual(says);
  });

  test('is refused where a file is not there, or holds no JSON', () => {
    expect(userError(() => expected({ file: 'absent' })).message).toMatch(
      /package\.json: bench names absent, which can't be read: ENOENT/,
    );
    const broken = userError(() => expected({ json: { file: 'a' } }, { a: '{' }));
    expect(broken.message).toMatch(/a is no JSON/);
  });
});

describe('a variant', () => {
  test('says of what, and in which word', () => {
    expect(problems({ ...SHORT, variantOf: 'gin' })).toEqual([
      'variant: variantOf and variant come together',
    ]);
    expect(problems({ ...SHORT, variant: 'fast' })).toEqual([
      'variantOf: variantOf and variant come together',
    ]);
  });

  test('alone needs no label', () => {
    const { label: _label, ...unnamed } = SHORT;
    expect(benchBlock.safeParse({ ...unnamed, variantOf: 'gin', variant: 'fast' }).success).toBe(
      true,
    );
    const { error } = benchBlock.safeParse(unnamed);
    expect(error?.issues.map(({ path }) => path)).toEqual([['label']]);
  });
});

test('bytes are kept whatever they are', () => {
  for (const bytes of [
    Buffer.from('책 🌍'),
    Buffer.from([0xff, 0xfe, 0]),
    Buffer.from([0xea, 0xb0]),
  ]) {
    expect(bytesOf(payloadOf(bytes))).toEqual(bytes);
  }
  expect(payloadOf(Buffer.from('책')).encoding).toBe('utf8');
  expect(payloadOf(Buffer.from([0xff])).encoding).toBe('base64');
});

describe('a variant', () => {
  const changed = { variant: 'JSON', env: { FORMAT: 'json' } };
  const json = { request: GET, expect: { status: 200, json: { fine: true } } };

  test('may be sent something else, in either form, and need services', () => {
    const services = { mariadb: { seed: ['node', 'seed.mjs'] } };
    const requests = [{ ...GET, expect: json.expect }];
    for (const said of [json, { requests }, {}]) {
      expect(
        problems({ ...SHORT, variants: { other: { ...changed, ...said, services } } }),
      ).toEqual([]);
    }
  });

  test('says all of what it is sent, or nothing', () => {
    const requests = [{ ...GET, expect: json.expect }];
    const { request, expect: expected } = json;
    for (const said of [{ request }, { expect: expected }, { ...json, requests }]) {
      expect(problems({ ...SHORT, variants: { other: { ...changed, ...said } } })).toEqual([
        'variants.other: say either requests, or request and expect',
      ]);
    }
  });
});
