import { expect, test } from 'vitest';
import type { VerifiedServer } from '../../src/launch/verify-all.ts';
import { resolveTopologies } from '../../src/plan/topology.ts';
import { renderSections } from '../../src/report/terminal/render.ts';
import { verificationSections } from '../../src/report/verification.ts';
import { makeMachine, makeTarget } from '../support/make-record.ts';
import { expectGolden, plain } from './look.ts';

const TARGETS = [
  makeTarget('express-app', { label: 'Express' }),
  makeTarget('nest-fastify', { label: 'Nest + Fastify' }),
];
const TOPOLOGIES = resolveTopologies(['single', 'max', 2], makeMachine({ parallelism: 2 }));
const FAILED = {
  ...{ state: 'failed' as const, message: 'it answered with status 500 instead of 200' },
  logTail: ['Listening on 3004', 'TypeError: x is not a function'],
};

/** The result for every target in every topology, of which one failed. */
function resultsWith(failing: { target: string; topology: string } | null): VerifiedServer[] {
  return TOPOLOGIES.flatMap((topology) => {
    return TARGETS.map((target): VerifiedServer => {
      const hasFailed = target.name === failing?.target && topology.id === failing.topology;
      const verified = { state: 'verified' as const, processes: topology.processes };
      return { target, topology, outcome: hasFailed ? FAILED : verified };
    });
  });
}

function render(results: VerifiedServer[], width: number): string {
  return `${renderSections(verificationSections(results), plain(width))}\n`;
}

test.each([80, 160])('a verification with a failure at %d columns is as shown', async (width) => {
  const report = render(resultsWith({ target: 'nest-fastify', topology: '2' }), width);
  await expectGolden(report, 'verification', width);
});

test('a verification without a failure says that all is well', () => {
  const report = render(resultsWith(null), 80);
  expect(report).toContain('4 of 4 servers answer as declared');
  expect(report).not.toContain('failed');
});

test('says so when nothing was verified', () => {
  expect(render([], 80)).toBe('Nothing was verified.\n');
});
