import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectAnswers, recordIn } from '../cli/harness.ts';
import { simulate } from '../support/command.ts';
import type { World } from '../support/simulated/backend.ts';
import { of } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a generator that was the limit gets help, and what was measured before is measured again', async () => {
  using folder = temporaryFolder();
  const out = join(folder.path, 'record.json');
  // An answer takes one generator longer than the server, and two of them less.
  const world: World = {
    machine: { cores: [0, 1, 2, 3, 4, 5], parallelism: 6 },
    server: () => ({ coldTimes: 1, cpuNs: 6000 }),
    generator: { cpuNs: 4000 },
  };
  const measured = async (amounts: string) => {
    const load = `-c 20 -p 200 --slice 0.3 --warmup 0.2 --seed 1 ${amounts}`;
    const line = `frameworks ${of('ok,ok-too', '2')} ${load} --out '${out}'`;
    const { stderr } = await simulate(line, world);
    const record = recordIn(out);
    expect(record).toMatchObject({ state: 'complete', failures: [] });
    expectAnswers(record);
    for (const { measurement } of record.slices) {
      expect(measurement.generators).toBe(2);
      // As many as the server can answer.
      expect(measurement.window.ok).toBe(100_000);
    }
    return stderr.split('was the bottleneck; it has 2 processes from now on').length - 1;
  };
  expect(await measured('-d 0.6 --launches 1')).toBe(1);
  // In later launches, also of a run that is continued, there are two from the start.
  expect(await measured('-d 1.8 --launches 3 --resume')).toBe(0);
});
