/** Row 16: many connections, many servers, and a long run: what the harness needs stays bounded. */
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { harnessPlace, on, SHORT } from '../cli/harness.ts';
import { simulate } from '../support/command.ts';

const place = harnessPlace();
/** What the harness, with its guardian, may have in memory, bytes. */
const MOST_BYTES = 1e9;
/** What a record may hold of each slice, bytes. */
const MOST_A_SLICE = 20_000;
const AT_ONCE = 10_000;

/** The record, all of whose cells were measured with what a harness may need. */
function bounded() {
  const record = place.wholeRecord();
  expect(record.harnessPeakBytes).toBeLessThan(MOST_BYTES);
  expect(statSync(place.out).size / record.slices.length).toBeLessThan(MOST_A_SLICE);
  return record;
}

/** So many servers, the whole run of which takes as little as one can. */
function many(count: number): string[] {
  const targets = Object.fromEntries(Array.from({ length: count }, (_, k) => [`small-${k}`, {}]));
  const amounts = ['--rate', '100', '-d', '0.3', '--slice', '0.3', '--launches', '1'];
  return ['frameworks', ...place.targets(targets), ...SHORT, ...amounts, '--out', place.out];
}

test('10,000 connections are opened, and no more files than that', async ({ skip }) => {
  const run = await place.run(...on(['ok'], 'single'), ...SHORT, '-c', String(AT_ONCE));
  skip(run.stderr.includes('file descriptors a process'), 'too few files may be opened here');
  const { plan } = bounded();
  expect(Math.max(...plan.loads.map(({ connections }) => connections))).toBe(AT_ONCE);
});

test('40 servers are alive at once, or in groups that fit into memory, and all are measured', async () => {
  await place.start(many(40)).finished;
  expect(bounded().plan.cells).toHaveLength(40);
});

test('500 servers are measured in groups that fit into memory, on a simulated machine', async () => {
  await simulate(many(500), { machine: { memoryAvailableBytes: 8e9 } });
  expect(bounded().plan.launches[0]?.length).toBeGreaterThan(10);
});

test('a run of an hour holds no more of a slice than a short one, on a simulated clock', async () => {
  const amounts = '-d 3600 --slice 10 --launches 36'.split(' ');
  await simulate(['frameworks', ...on(['ok'], 'single'), ...amounts, '--out', place.out]);
  expect(bounded().wallNs).toBeGreaterThan(3600e9);
});
