import { describe, expect, test } from 'vitest';
import { boardText } from '../../../src/report/sections/board-text.ts';
import { findCauses } from '../../../src/summary/board-causes.ts';
import { boardLevels } from '../../../src/summary/board-levels.ts';
import { summarizeConditions } from '../../../src/summary/conditions.ts';
import { COSTS, type Costs, makeBoardRecord } from '../../support/make-board-record.ts';
import { shown } from '../look.ts';

type Story = Parameters<typeof makeBoardRecord>[0];

/** The paragraphs of a run in which requests took so much. */
function textOf(costs: Costs = COSTS, story: Omit<NonNullable<Story>, 'costs'> = {}): string {
  const record = makeBoardRecord({ costs, ...story });
  const levels = boardLevels(record, summarizeConditions(record));
  return boardText(findCauses(record, levels))
    .map((section) => shown(section).replaceAll(/\s+/g, ' '))
    .join(' ');
}

/** The costs with some of them changed, and without those that are null. */
function costsWith(changes: Record<string, [number, number] | null>): Costs {
  const all = Object.entries({ ...COSTS, ...changes });
  return Object.fromEntries(all.flatMap(([name, cost]) => (cost === null ? [] : [[name, cost]])));
}

/** Servers of this kind are so much dearer, and cheaper, in one launch than in another. */
const unsteady = (prefix: string) => (name: string, launch: number) => {
  return name.startsWith(prefix) ? 1 + 0.5 * (launch - 1) : 1;
};

test('says of a request who takes what of it, and what each choice takes', () => {
  const text = textOf();
  expect(text).toContain(
    'A request to /latest takes Fiber 1.60 ±0.00 ms of CPU time and MariaDB 2.00 ±0.00 ms for it; ' +
      'Elysia 4.00 ±0.00 ms of CPU time and MariaDB 2.00 ±0.00 ms for it.',
  );
  expect(text).toContain(
    '“five queries a post” takes 26.40 ±0.00 ms more with Fiber and 41.00 ±0.00 ms more with Elysia',
  );
  expect(text).toContain('“two idle connections” takes 500.00 ±0.00 µs more with Fiber');
  expect(text).toContain(
    'Over Fiber (five queries a post), Fiber (as published) takes 30.00 ±0.00 ms more',
  );
});

test('says of the home page the servers alone, the router, and what more cores do', () => {
  const text = textOf();
  expect(text).toContain('A request to /home takes Fiber 10.00 ±0.00 µs of CPU time; Elysia 10.0');
  expect(text).toContain(
    'Of its CPU time, “home as a literal” takes 2.00 ±0.00 µs less with Elysia.',
  );
  expect(text).toContain('net/http takes as much CPU as Fiber.');
  expect(text).toContain(
    'On /latest Fiber answers 2.00 [2.00, 2.00] times as many on max = 4 cores',
  );
});

test('says of what may be chance that it may be none, and of what saves that it is less', () => {
  const saving = textOf(costsWith({ 'fiber-prepared': [1, 1] }));
  expect(saving).toContain('“prepared each time” takes 1.60 ±0.00 ms less with Fiber');
  const chance = textOf(COSTS, {
    vary: (name, launch) => (name === 'fiber-two-idle' ? 1 + 0.4 * (launch - 1) : 1),
  });
  expect(chance).toMatch(
    /“two idle connections” takes \S+ ±\S+ \S+ (more|less) with Fiber|\(which may be none\)/,
  );
  expect(chance).toContain('(which may be none)');
});

test('knows no interval of one launch', () => {
  expect(textOf(COSTS, { options: { launches: 1 } })).toContain('Fiber 1.60 ±? ms of CPU time');
});

describe('whether the driver is slow', () => {
  test('is no question where the published Go is cheaper, or as cheap', () => {
    expect(textOf(costsWith({ 'fiber-published': [10, 10] }))).toContain(
      'here it is the cheaper one, and there is nothing that a slow driver would explain',
    );
    expect(textOf(costsWith({ 'fiber-published': [25, 22] }))).toContain(
      'here the two cost the same, and there is nothing that a slow driver would explain',
    );
  });

  test('is not known where it may be chance which of the published two is dearer', () => {
    const text = textOf(COSTS, { vary: unsteady('fiber-published') });
    expect(text).toContain(
      "which of them is dearer can't be told here, and so not what makes it so",
    );
    expect(text).not.toContain('conclusion');
  });

  test('does not hold where Go is no dearer when it is asked in the same way', () => {
    const text = textOf();
    expect(text).toContain(
      'As published, a request to Fiber (as published) takes 1.28 [1.28, 1.28] times the CPU of one to ' +
        'Elysia (as published). Asked in the same way, with five queries a post, none of them prepared ' +
        'it takes 0.64 [0.64, 0.64] times as much, and with one query it takes 0.60 [0.60, 0.60] times as much.',
    );
    expect(text).toContain('the conclusion that its driver is slow does not hold here');
    expect(textOf(costsWith({ fiber: [4, 2] }))).toContain('does not hold here');
  });

  test('may be where Go is the dearer one however it is asked', () => {
    const dear = costsWith({ fiber: [9, 2], 'fiber-n-plus-one': [40, 22] });
    expect(textOf(dear)).toContain('the conclusion that its driver is slow may hold');
  });

  test('holds in part where it is the dearer one in one way only', () => {
    expect(textOf(costsWith({ fiber: [9, 2] }))).toContain('holds in part');
  });

  test('is not settled where that may be chance', () => {
    const text = textOf(COSTS, { vary: unsteady('fiber-n-plus-one') });
    expect(text).toContain('whether the driver is slow is not settled by this run');
  });

  test('is not told where the two were not asked in the same way, or not as published', () => {
    const alone = costsWith({ 'fiber-n-plus-one': null, elysia: null });
    expect(textOf(alone)).toContain('The two were not asked in the same way here');
    expect(textOf(costsWith({ 'fiber-published': null }))).not.toMatch(/driver|As published/);
  });
});

test('is nothing where nothing was measured', () => {
  expect(textOf(COSTS, { change: () => null })).toBe('');
});
