/** The harness about itself, on servers that are not there: truth, price and methods. */
import { describe, expect, test } from 'vitest';
import { readJson } from '../../src/base/files.ts';
import type { Arrangement } from '../../src/plan/plan.ts';
import { methodsRecordSchema } from '../../src/studies/methods/record.ts';
import { VARIANTS } from '../../src/studies/price/plan.ts';
import { priceRecordSchema } from '../../src/studies/price/record.ts';
import { command, type Surroundings } from '../support/command.ts';
import { onPathOfEach } from '../support/fake-programs.ts';
import { simulatedBackend, type World } from '../support/simulated/backend.ts';
import { simulateSaved, simulateTo, withOne } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { rowOf } from './harness.ts';

onPathOfEach('go');

/** What each does more than the twins, ns. */
const MORE: Record<string, number> = {
  ...{ 'spin-1': 1000, 'spin-3': 3000, 'spin-10': 10_000, 'go-spin-3': 3000 },
  ...{ objects: 2000, json: 2000, buffers: 2000, 'go-objects': 2000 },
};
const GARBAGE_NS = 500;

test('`truth` goes on without a server that dies in one launch, and finds all that is known', async () => {
  const run = await simulateTo(0, 'truth --quick --seed 3', {
    server: (target, _, launch) => {
      const handlerNs = MORE[target] ?? 0;
      const gcNs = handlerNs === 2000 ? GARBAGE_NS : 0;
      const isDying = target === 'objects' && launch === 1;
      return {
        ...{ coldTimes: 1, cpuNs: 8000 + handlerNs + gcNs, bytesPerResponse: 1200 },
        handler: { medianNs: handlerNs, meanNs: handlerNs, gcNs },
        diesAfterRequests: isDying ? 40_000 : Number.POSITIVE_INFINITY,
      };
    },
  });
  expect(run.stdout).toContain('Everything that is known was found.');
  expect(run.stderr).toContain('objects/single failed: ');
  const failure = { server: 'objects/single', when: 'slice', launch: 1, died: true };
  expect(run.record.failures).toMatchObject([failure]);
});

describe('`price`', () => {
  const price = (options: string, world: World = {}, onSaid?: Surroundings['onSaid']) => {
    const read = (path: string) => readJson(path, [priceRecordSchema]);
    return simulateSaved(`price --seed 3 ${options}`, read, world, onSaid);
  };
  /** Servers that have settled, where one arrangement makes a request so much dearer. */
  const where = (kind: Arrangement, times: number): World => {
    const arrangement = (each: Arrangement) => (each === kind ? times : 1);
    return { server: () => ({ coldTimes: 1 }), arrangement };
  };

  test.each<[string, Arrangement, times: number, row: RegExp, code: number]>([
    ['reads its CPU and memory 10 times a second', 'sampled', 1.005, / 1\.0050 .* below 1 %$/, 0],
    ['keeps other servers alive beside it', 'alone', 1 / 1.05, / 1\.0500 .* above 1 %$/, 1],
    ['pins it to cores of its own', 'unpinned', 1 / 1.05, / 1\.0500 .* above 1 %$/, 1],
  ])('that it %s, where %s costs %d times as much, is in its row', async (...given) => {
    const [label, kind, times, row, ending] = given;
    const { code, stdout, record } = await price('--quick', where(kind, times));
    expect(rowOf(stdout, label)).toMatch(row);
    expect(code).toBe(ending);
    expect(record).toMatchObject({ state: 'complete', seed: 3, launches: 2, neighbours: 10 });
  });

  test('arranges every variant beside all neighbours', async () => {
    const backend = simulatedBackend();
    const seen = new Set<string>();
    const arrange: typeof backend.arrange = (kind, arranged) => {
      seen.add(`${kind} beside ${arranged.others.length}`);
      return backend.arrange(kind, arranged);
    };
    using folder = temporaryFolder();
    const line = `price --quick --out '${folder.path}/record.json'`;
    expect((await command(line, { backend: { ...backend, arrange } })).code).toBe(0);
    const kinds = ['standard', 'sampled', 'alone', 'unpinned'];
    expect(seen).toEqual(new Set(kinds.map((kind) => `${kind} beside 11`)));
  });

  test('that is interrupted prints and saves what it has, for `report` to print again', async () => {
    const { code, stdout, stderr, record } = await price('', {}, (said, send) => {
      if (/launch 1 of .*\n$/.test(said)) send('SIGINT');
    });
    expect(code).toBe(130);
    expect(stderr).toContain('Saved as ');
    expect(stdout).toContain("can't tell");
    expect(record).toMatchObject({ state: 'interrupted', variants: VARIANTS, slices: [] });
  });

  test('whose server dies in the middle says so and ends with 1', async () => {
    const dying = withOne('twin-a', { diesAfterRequests: 80_000 }, 1);
    const { code, stderr, record } = await price('--quick', dying);
    expect(code).toBe(1);
    expect(stderr).toContain('error: twin-a/single failed: one of its processes died under load');
    expect(stderr).toContain('simulated: giving up');
    expect(stderr).not.toMatch(/^ +at /m);
    expect(record.slices.length).toBeGreaterThan(0);
  });
});

describe('`methods`', () => {
  const WORLD: World = {
    server: (target) => ({ coldTimes: 1, cpuNs: target.startsWith('express') ? 30_000 : 20_000 }),
  };
  const methods = (repeats: number, onSaid?: Surroundings['onSaid']) => {
    const line = `methods --repeats ${repeats} --seconds 8 --seed 7`;
    return simulateSaved(line, (path) => readJson(path, [methodsRecordSchema]), WORLD, onSaid);
  };

  test('measures the twins by both methods', async () => {
    const { stdout, stderr, record } = await methods(1);
    expect(record.seed).toBe(7);
    expect(record.measurements.map(({ method }) => method)).toEqual(['classic', 'sliced']);
    for (const { wallNs, ratios } of record.measurements) {
      // Each fills about the time that it was given.
      expect(Math.abs(wallNs / 8e9 - 1)).toBeLessThan(0.3);
      expect(ratios.cpu).toEqual({ expressToFastify: 1.5, fastifyTwins: 1, expressTwins: 1 });
    }
    expect(stdout).toMatch(/^Express : Fastify +classic +1 +1\.500 +1\.500 +– +•$/m);
    expect(stderr).toContain('sliced, 1 of 1');
  });

  test('ends after the slice that Ctrl-C comes in, with what was measured so far', async () => {
    const { code, stdout, stderr, record } = await methods(2, (said, send) => {
      if (said.endsWith('sliced, 1 of 2\n')) send('SIGINT');
    });
    expect(code).toBe(130);
    expect(stderr).toContain('Ending after this slice');
    expect(record.measurements.map(({ method }) => method)).toEqual(['classic']);
    expect(stdout).toContain('not complete');
  });
});
