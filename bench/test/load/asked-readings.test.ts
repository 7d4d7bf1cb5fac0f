import { expect, test } from 'vitest';
import { AskedReadings } from '../../src/load/asked-readings.ts';
import { readAsAsked } from '../../src/load/readings.ts';
import { askSchema } from '../../src/load/relay.ts';

/** Readings whose questions are kept; the answer to one is given by its place. */
function asking() {
  const questions: unknown[] = [];
  const asked = new AskedReadings((message) => questions.push(message));
  const answer = (place: number, outcome: { value: unknown } | { error: string }) => {
    const { number } = askSchema.parse(questions[place]);
    return asked.take({ kind: 'reading', number, outcome });
  };
  return {
    ...asked,
    readings: asked.readings,
    take: (message: unknown) => asked.take(message),
    questions,
    answer,
  };
}

test('each question has its answer, in whatever order they come', async () => {
  const { readings, answer } = asking();
  const [first, second] = [readings.cpuNs([1]), readings.throttledPeriods('/group')];
  expect(answer(1, { value: 7 })).toBe(true);
  expect(answer(0, { value: 1234 })).toBe(true);
  expect(await Promise.all([first, second])).toEqual([1234, 7]);
});

test('a reading that failed there fails here, with the reason', async () => {
  const { readings, answer } = asking();
  const reading = readings.cpuNs([1]);
  answer(0, { error: 'process 1 is gone' });
  await expect(reading).rejects.toThrow('process 1 is gone');
});

test('an answer that is no such reading is an error', async () => {
  const { readings, answer } = asking();
  const reading = readings.counters(
    {
      pids: { server: [], manager: [], harness: [], services: {} },
      group: null,
      firstThreadOf: null,
    },
    true,
  );
  answer(0, { value: { cpu: 'much' } });
  await expect(reading).rejects.toThrow();
});

test('other messages are not taken for answers', () => {
  const { take } = asking();
  expect(take({ kind: 'stop' })).toBe(false);
  // Nobody waits for this one any more.
  expect(take({ kind: 'reading', number: 99, outcome: { value: 1 } })).toBe(true);
});

test('what is asked is read of real processes', async () => {
  const pids = { server: [process.pid], manager: [], harness: [], services: {} };
  expect(await readAsAsked({ what: 'cpuNs', pids: [process.pid] })).toBeGreaterThan(0);
  expect(await readAsAsked({ what: 'memories', pids, used: {} })).toMatchObject({ services: {} });
  await expect(readAsAsked({ what: 'passwords' })).rejects.toThrow();
});
