import { expect, test } from 'vitest';
import { resolveTopologies } from '../../src/plan/topology.ts';
import { renderSections } from '../../src/report/text.ts';
import { type VerifiedServer, verificationSections } from '../../src/report/verification.ts';
import { makeMachine, makeTarget } from '../support/make-record.ts';
import { plain, testGolden } from './look.ts';

const TARGETS = [
  makeTarget('express-app', { label: 'Express' }),
  makeTarget('nest-fastify', { label: 'Nest + Fastify' }),
];
const TOPOLOGIES = resolveTopologies(['single', 'max', 2], makeMachine({ parallelism: 2 }));
const FAILURE = {
  message: 'it answered with status 500 instead of 200',
  logTail: ['Listening on 3004', 'TypeError: x is not a function'],
};

/** Of every target in every topology, one of which failed. */
const RESULTS = TOPOLOGIES.flatMap((topology) => {
  return TARGETS.map((target): VerifiedServer => {
    const hasFailed = target.name === 'nest-fastify' && topology.id === '2';
    if (hasFailed) return { target, topology, processes: null, failure: FAILURE };
    return { target, topology, processes: topology.processes, failure: null };
  });
});

function render(results: VerifiedServer[], width: number): string {
  return `${renderSections(verificationSections(results), plain(width))}\n`;
}

testGolden('verification', (width) => render(RESULTS, width));

test('says so when nothing was verified', () => {
  expect(render([], 80)).toBe('Nothing was verified.\n');
});
