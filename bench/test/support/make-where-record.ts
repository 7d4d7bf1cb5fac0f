/** Records of runs with sampled servers: Express over a floor, with known times in known code. */
import { sum } from '../../src/figures/figures.ts';
import type { Cell } from '../../src/plan/plan.ts';
import type { CodeOwner, ProfiledFunction } from '../../src/record/profile.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import type { Suite } from '../../src/suites/suite.ts';
import { unsampled, whereOf } from '../../src/suites/where.ts';
import { sampledName } from '../../src/summary/where.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeRecord, makeTarget } from './make-record.ts';

const EXPRESS: CodeOwner = { kind: 'package', name: 'express', version: '5.3.0' };

/** A function with its owner and its µs in a request. */
export function inFunction(owner: CodeOwner, name: string, us: number, file: string | null = null) {
  return { owner, name, file, line: file === null ? null : 12, ns: us };
}

/** The functions of a request, by target; 2 µs are in the kernel, in `writev`. */
export const USUAL: Record<string, ProfiledFunction[]> = {
  floor: [
    inFunction({ kind: 'node' }, 'onRequest', 3, 'node:_http_server'),
    inFunction({ kind: 'native' }, 'writev', 3),
    inFunction({ kind: 'collector' }, '(garbage collector)', 1),
    inFunction({ kind: 'own' }, '(anonymous)', 0.02, 'dist/main.js'),
  ],
  express: [
    inFunction({ kind: 'node' }, 'onRequest', 5, 'node:_http_server'),
    inFunction({ kind: 'native' }, 'writev', 3),
    inFunction({ kind: 'collector' }, '(garbage collector)', 1),
    inFunction(EXPRESS, 'handle', 4, 'lib/application.js'),
    inFunction(EXPRESS, 'send', 1, 'lib/response.js'),
  ],
};

/** Requests of a slice of a second. */
const REQUESTS = 10_000;
const KERNEL_US = 2;

interface Parts {
  functions?: Record<string, ProfiledFunction[]>;
  suite?: Suite;
  targets?: LocalTarget[];
  /** The sampled time of Express over the actual time. */
  samplesTimes?: number;
  /** CPU of a request to the Express that is never sampled, over that of the other between samplings. */
  unsampledTimes?: number;
}

/** A run with these functions. Launches differ a little; under sampling everything costs a tenth more. */
export function makeWhereRecord({
  functions = USUAL,
  suite = whereOf(frameworks),
  targets = [makeTarget('floor'), makeTarget('express', { label: 'Express', over: 'floor' })],
  samplesTimes = 1,
  unsampledTimes = 1,
}: Parts = {}): RunRecord {
  const usOf = (target: string, launch: number) => {
    return sum(functions[target] ?? [], ({ ns }) => ns) * (1 + 0.01 * launch);
  };
  const timesOf = ({ target, arrangement }: Cell) => {
    if (arrangement === 'profiled') return 1.1;
    return sampledName(target) === 'express' ? unsampledTimes : 1;
  };
  const options = { launches: 3, durationS: 6, sliceS: 1, connections: 100, pipelining: 10 };
  const all = [...targets, ...targets.map(unsampled)];
  const kernelNs = KERNEL_US * REQUESTS * 1000;
  const record = makeRecord({ suite, targets: all, options }, (cell, launch) => {
    const us = usOf(sampledName(cell.target) ?? cell.target, launch) * timesOf(cell);
    const mainThread = { cpuNs: us * REQUESTS * 1000, waitNs: 0, kernelNs };
    return { ok: REQUESTS, windowS: (us * REQUESTS) / 1e6, cpuUsPerResponse: us, mainThread };
  });
  const sampled = record.plan.cells.filter(({ arrangement }) => arrangement === 'profiled');
  record.profiles = sampled.flatMap(({ id: cell, target }) => {
    return [0, 1, 2].map((launch) => {
      const slices = record.slices.filter((each) => each.cell === cell && each.launch === launch);
      const found = target === 'express' ? samplesTimes : 1;
      const times = slices.length * REQUESTS * 1000 * 1.1 * (1 + 0.01 * launch) * found;
      const own = (functions[target] ?? []).map((each) => ({ ...each, ns: each.ns * times }));
      return { cell, launch, samples: 1000, functions: own };
    });
  });
  return record;
}
