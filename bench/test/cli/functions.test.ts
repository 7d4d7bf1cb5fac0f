/** The functions of the npm package, on servers that are not there. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { compare, defineWorkload, measure } from '../../src/commands/functions.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { simulatedBackend } from '../support/simulated/backend.ts';
import { recordIn } from './harness.ts';

const folder = folderOfEach();
const SMALL = { duration: 2, slice: 0.5, launches: 3, warmup: 0.2, seed: 1 };

test('servers are measured, with what each adds, and the record is kept where it is asked for', async () => {
  const out = join(folder.path, 'record.json');
  const said: string[] = [];
  const onProgress = (text: string) => said.push(text);
  const options = { ...SMALL, out, name: ['one', 'two'], onProgress };
  const found = await measure(['node a.js', 'node b.js'], options, simulatedBackend());
  expect(found.cells.map(({ server }) => server).toSorted()).toEqual(['node:http', 'one', 'two']);
  expect(found.cells[0]?.figures?.cpuPerRequest).toMatchObject({ kind: 'interval' });
  expect(found.overheads).toMatchObject([
    { server: 'one', over: 'node:http', adds: { kind: 'interval' } },
    { server: 'two', over: 'node:http', adds: { kind: 'interval' } },
  ]);
  expect(found.record.slices.length).toBeGreaterThan(0);
  expect(recordIn(out)).toEqual(found.record);
  expect(said.join('')).toContain('one answers: 200, 12 bytes');
});

test('sides are compared with the first, which is measured twice', async () => {
  const options = { ...SMALL, launches: 4, maxTime: '60', name: ['one', 'two'] };
  const { sides } = await compare(['node a.js', 'node b.js'], options, simulatedBackend());
  expect(sides).toMatchObject([
    { first: 'one', side: 'two', method: 'GET', path: '/', cpu: { name: 'cpu' } },
  ]);
  expect(sides[0]?.cpu.again.kind).toBe('interval');
  expect(sides[0]?.beside.map(({ name }) => name)).toContain('p99');
});

test('a side that can not be measured is an error that says why, whatever was saved before', async () => {
  const out = join(folder.path, 'record.json');
  const before = { ...SMALL, out, floor: false };
  const { overheads } = await measure(['node a.js'], before, simulatedBackend());
  expect(overheads).toEqual([]);
  const backend = simulatedBackend();
  const checkOut = () => Promise.reject(new UserError('it does not build', 'Correct it.'));
  folder.write('app/package.json', {});
  const sides = [`${folder.path}/app@main`, 'node b.js'];
  const compared = compare(sides, { ...SMALL, out }, { ...backend, checkOut });
  await expect(compared).rejects.toThrow('it does not build');
});

test('what the command refuses is an error that says why', async () => {
  const wrong = measure(['node a.js'], { duration: 'long' }, simulatedBackend());
  await expect(wrong).rejects.toThrow(/--duration/);
});

test('it ends where it is told to, and leaves nothing', async () => {
  const backend = simulatedBackend();
  const controller = new AbortController();
  const said: string[] = [];
  const onProgress = (text: string) => {
    said.push(text);
    if (text.includes('answers: ')) controller.abort(new Error('enough'));
  };
  const options = { ...SMALL, onProgress, signal: controller.signal };
  await expect(measure(['node a.js'], options, backend)).rejects.toThrow('enough');
  expect(said.join('')).toContain('Ending after this slice');
  await expect(measure(['node a.js'], options, backend)).rejects.toThrow('enough');
  expect(backend.left()).toEqual([]);
});

test('a workload is declared in code, and checked', () => {
  expect(() => defineWorkload(JSON.parse('{"title":"One"}'))).toThrow(/the workload: .*question/);
});
