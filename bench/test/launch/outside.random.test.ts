/** Input from outside is read as it is meant, or refused. */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { parseJson } from '../../src/base/json.ts';
import { messageSchema } from '../../src/launch/guardian-messages.ts';
import { failureIn, newestIn } from '../../src/launch/npm.ts';
import { parseList } from '../../src/launch/pm2.ts';
import { parsePid } from '../../src/launch/pm2-home.ts';
import { parseVersion } from '../../src/launch/services.ts';
import { addressOf, originOf } from '../../src/launch/sockets.ts';
import { SERVICES } from '../../src/services/index.ts';
import { garbled, mutated, property, textOf, unless } from '../support/random.ts';

const printed = <T>(values: fc.Arbitrary<T>) => values.map((each) => JSON.stringify(each));
/** These values as JSON, damaged somewhere. */
const changed = <T>(values: fc.Arbitrary<T>) => {
  return fc.oneof(garbled(printed(values)), printed(values.chain(mutated)));
};

const hosts = fc.constantFrom('127.0.0.1', '::1', 'localhost');
const addresses = fc.record({ host: hosts, port: fc.constantFrom(80, 3000, 8080) });
property('an origin has its host and port, 80 by default', addresses, (address) => {
  expect(addressOf(originOf(address.host, address.port))).toEqual(address);
});

describe('the guardian', () => {
  const what = fc.oneof(fc.integer({ min: 2, max: 2 ** 22 }), fc.string());
  const lines = fc.oneof(
    fc.record({ kind: fc.constantFrom('guard', 'release'), what }),
    fc.constant({ kind: 'done' }),
  );
  property('reads others as one or none, never of every process', changed(lines), (text) => {
    const line = parseJson(text, messageSchema);
    const { what: guarded = 2 } = line?.kind === 'guard' || line?.kind === 'release' ? line : {};
    if (typeof guarded === 'number') expect(guarded).toBeGreaterThan(1);
  });
});

describe('what npm prints', () => {
  const number = fc.nat({ max: 99 });
  const versions = fc.array(fc.tuple(number, number, number), { minLength: 1, maxLength: 6 });
  property('has a newest version, by its numbers', versions, (all) => {
    const [newest] = all.toSorted((a, b) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2]);
    const texts = all.map((each) => each.join('.'));
    expect(newestIn(JSON.stringify(texts))).toBe(newest?.join('.'));
    expect(newestIn(`"${texts[0]}"\n`)).toBe(texts[0]);
  });
  const texts = fc.oneof(changed(fc.constant(['1.0.0', '1.2.0'])), fc.constant(''));
  property('is a version, none, or refused', texts, (text) => {
    expect(unless(UserError, () => newestIn(text)) ?? '').toBeTypeOf('string');
  });
  const failure = fc.constant({ error: { code: 'E404', summary: 'no such package', detail: '' } });
  const streams = fc.tuple(changed(failure), textOf('npm error', '\n', ' '));
  property('has a code where it fails', streams, ([stdout, stderr]) => {
    const { code, summary } = failureIn(stdout, stderr);
    expect([typeof code, typeof summary]).toEqual(['string', 'string']);
  });
});

describe('pm2', () => {
  const pm2_env = fc.record({ status: fc.constantFrom('online', 'errored', 'stopped') });
  const listed = fc.record({ name: fc.string(), pid: fc.nat(), pm2_env });
  const lists = fc.array(listed, { maxLength: 3 });
  const noise = fc.constantFrom('', '[PM2] Spawning daemon\n', 'a [b] c\n');
  property('lists processes, whatever comes before', fc.tuple(noise, lists), ([before, list]) => {
    expect(parseList(`${before}${JSON.stringify(list)}\n`)).toEqual(list);
  });
  property('lists processes with a number, or an error is told', changed(lists), (text) => {
    const list = unless(Error, () => parseList(text)) ?? [];
    expect(list.every(({ pid }) => Number.isInteger(pid))).toBe(true);
  });
  property('writes the number of a process, or none', textOf('1', '23', ' ', '-', 'e9'), (text) => {
    const pid = parsePid(text);
    expect(pid ?? 0).toBe(pid === null ? 0 : Number(text));
    if (pid !== null) expect(pid).toBeGreaterThan(0);
  });
});

describe.each([
  ['redis', 'Redis server v=', ' sha=00000000:0 malloc=jemalloc bits=64\n'],
  ['mariadb', 'mariadbd  Ver ', '-MariaDB-1 for debian-linux-gnu\n'],
] as const)('%s', (name, before, after) => {
  const { version: how } = SERVICES[name];
  const numbers = fc.array(fc.nat({ max: 200 }), { minLength: 2, maxLength: 4 });
  const versions = numbers.map((parts) => parts.join('.'));
  property('says its version', versions, (version) => {
    expect(parseVersion(before + version + after, how)).toBe(version);
  });
  const texts = garbled(versions.map((version) => before + version + after));
  property('says a version, or an unknown one', texts, (said) => {
    expect(parseVersion(said, how)).toMatch(/^\S+$/);
  });
});
