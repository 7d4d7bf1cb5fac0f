import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer } from 'marked';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { BLOCK_KEYS, benchBlock, exchangesOf, withRequestFiles } from '../../src/targets/block.ts';
import { bytesOf, payloadOf } from '../../src/targets/exchange.ts';
import { userError } from '../support/caught.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COMMON = { suite: 'frameworks', label: 'A server', start: ['node', 'main.js'], port: 3001 };
const GET = { method: 'GET', path: '/' };
const FINE = { status: 200, body: 'fine' };
const SHORT = { ...COMMON, request: GET, expect: FINE };

/** The first exchange of a block with these changes, in a folder with these files. */
function exchange(changes: object, files: Record<string, string> = {}) {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  return exchangesOf(benchBlock.parse({ ...SHORT, ...changes }), folder.path)[0];
}

/** What is wrong with the block with these changes. */
function problems(changes: object): string[] {
  const { error } = benchBlock.safeParse({ ...COMMON, ...changes });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

test('the table of docs/SERVERS.md has the keys of the block, and no others', () => {
  const tables = lexer(readFileSync(join(ROOT, 'docs/SERVERS.md'), 'utf8'));
  const keys = tables.flatMap((token) => {
    const isOfKeys = token.type === 'table' && token.header[0]?.text === 'key';
    return isOfKeys ? token.rows.map(([key]: { text: string }[]) => key?.text) : [];
  });
  expect(keys.sort()).toEqual(BLOCK_KEYS.map((key) => `\`${key}\``).sort());
});

test('the short form is a single exchange', () => {
  const body = { kind: 'bytes', bytes: { encoding: 'utf8', data: 'fine' } };
  expect(exchange({})).toEqual({
    request: { method: 'GET', path: '/', headers: {}, body: null },
    weight: 1,
    expect: { status: 200, headers: {}, body },
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };
const OWN_TYPE = { 'Content-Type': 'application/vnd.own+json' };

test.each<[string, object, object, string]>([
  ['a text', { body: 'a=1' }, {}, 'a=1'],
  ['a value as JSON', { body: { json: { a: [1] } } }, JSON_TYPE, '{"a":[1]}'],
  ['JSON with a type of its own', { headers: OWN_TYPE, body: { json: 1 } }, OWN_TYPE, '1'],
  ['a file', { body: { file: 'in/a.txt' } }, {}, '책\n'],
])('a request sends %s', (_, request, headers, data) => {
  const files = { 'in/a.txt': '책\n' };
  const sent = exchange({ request: { ...GET, ...request } }, files)?.request;
  expect(sent?.headers).toEqual(headers);
  expect(sent?.body).toEqual({ encoding: 'utf8', data });
});

test('an answer is a text, a file byte for byte, or a value', () => {
  const expected = (answer: object, files?: Record<string, string>) => {
    return exchange({ expect: { status: 200, ...answer } }, files)?.expect.body;
  };
  expect(expected({ body: '' })).toEqual({ kind: 'bytes', bytes: payloadOf(Buffer.alloc(0)) });
  expect(expected({ file: 'a' }, { a: '{ }\n' })).toMatchObject({ bytes: { data: '{ }\n' } });
  expect(expected({ json: { a: null } })).toEqual({ kind: 'json', value: { a: null } });
  expect(expected({ json: { file: 'a' } }, { a: '[1]' })).toEqual({ kind: 'json', value: [1] });
  const absent = userError(() => expected({ file: 'absent' }));
  expect(absent.message).toMatch(/package\.json: bench names absent, which can't be read: ENOENT/);
  const broken = userError(() => expected({ json: { file: 'a' } }, { a: '{' }));
  expect(broken.message).toMatch(/a is no JSON/);
});

test.each([
  ['utf8', Buffer.from('책 🌍')],
  ['base64', Buffer.from([0xff, 0])],
  ['base64', Buffer.from([0xea, 0xb0])],
])('bytes are kept as %s: %j', (encoding, bytes) => {
  expect(payloadOf(bytes).encoding).toBe(encoding);
  expect(bytesOf(payloadOf(bytes))).toEqual(bytes);
});

const requests = [{ ...GET, expect: FINE }];
const BOTH = { request: GET, expect: FINE };
const withVariant = (said: object) => {
  return { ...SHORT, variants: { other: { variant: 'JSON', env: { FORMAT: 'json' }, ...said } } };
};
const EITHER = 'say either requests, or request and expect';
const WHOLE = 'expected object: say request and expect, or requests';
const ONE_OF = 'expect.body: say one of body, json, file and check';
const TOGETHER = 'variantOf and variant come together';

const UNNAMED = { ...SHORT, label: undefined };
const NO_LABEL = 'label: expected string: only a variant has one by itself';
const services = { mariadb: { seed: ['node', 'seed.mjs'] } };

test('a block and its variants may name the files of their requests', () => {
  using folder = temporaryFolder();
  folder.write('all.json', JSON.stringify(requests));
  const named = withVariant({ requests: 'all.json' });
  const whole = { ...withVariant({ requests }), requests };
  expect(withRequestFiles({ ...named, requests: 'all.json' }, folder.path)).toEqual(whole);
  for (const block of [COMMON, { ...COMMON, requests }, { variants: 1 }, null]) {
    expect(withRequestFiles(block, folder.path)).toEqual(block);
  }
});

test.each<[string, object, string | null]>([
  ['the short form and the long one', { ...SHORT, requests }, `requests: ${EITHER}`],
  ['half of the short form', { request: GET }, `expect: ${WHOLE}`],
  ['no request', { requests: [] }, expect.stringMatching(/^requests: /)],
  ['no answer', { ...SHORT, expect: { status: 200 } }, ONE_OF],
  ['two answers', { ...SHORT, expect: { ...FINE, json: 1 } }, ONE_OF],
  ['no label', UNNAMED, NO_LABEL],
  ['no label of a variant', { ...UNNAMED, variantOf: 'gin', variant: 'fast' }, null],
  ['a variant without its change', { ...SHORT, variantOf: 'gin' }, `variant: ${TOGETHER}`],
  ['a change of nothing', { ...SHORT, variant: 'fast' }, `variantOf: ${TOGETHER}`],
  ['half of what a variant is sent', withVariant({ request: GET }), `variants.other: ${EITHER}`],
  ['half of its answer', withVariant({ expect: FINE }), `variants.other: ${EITHER}`],
  ['both forms in one', withVariant({ ...BOTH, requests }), `variants.other: ${EITHER}`],
  ['the long form of a variant', withVariant({ requests, services }), null],
])('what is wrong with a block with %s', (_, block, problem) => {
  expect(problems(block)).toEqual(problem === null ? [] : [problem]);
});
