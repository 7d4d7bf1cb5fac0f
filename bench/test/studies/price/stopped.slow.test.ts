import { expect, test } from 'vitest';
import { type Arrangement, cellOf } from '../../../src/plan/plan.ts';
import { SYSTEM } from '../../../src/run/backend.ts';
import { describeMachine } from '../../../src/system/machine.ts';
import { ownPlace } from '../../support/leftovers.ts';
import { statusOf } from '../../support/process-status.ts';
import { eventually } from '../../support/processes.ts';
import { carryOut, preparePrice } from './make-price-record.ts';

const place = ownPlace();
const standing = () => {
  return place
    .processes()
    .filter(({ pid, port }) => port !== null && statusOf(pid, 'State') === 'T');
};

test('while a slice is taken alone all other servers stand still, and one that is ended then leaves nothing', async () => {
  const { plan, group, record } = preparePrice(await describeMachine([]));
  const others = 1 + group.idle.length;
  const [round = []] = group.rounds;
  const cellIn = (arrangement: Arrangement) => {
    const found = round.find((id) => {
      const cell = cellOf(plan, id);
      return cell.arrangement === arrangement && !group.unverified.includes(cell.server);
    });
    if (found === undefined) throw new Error(`no cell is ${arrangement}`);
    return found;
  };
  const [standard, alone] = [cellIn('standard'), cellIn('alone')];
  // Long enough to be seen.
  for (const load of plan.loads) load.sliceNs = 1e9;
  // After a round nothing stands still; in the next one the run is ended.
  group.rounds = [[alone, standard], [alone]];
  const end = new AbortController();
  let rounds = 0;
  let wereReleased = false;
  const onRound = async () => {
    rounds++;
    wereReleased = await eventually(() => standing().length === 0, 2000);
  };
  const over = carryOut(record, SYSTEM, { onRound, soon: end.signal, now: end.signal });
  expect(await eventually(() => standing().length === others, 60_000)).toBe(true);
  expect(await eventually(() => rounds > 0, 60_000)).toBe(true);
  expect(await eventually(() => standing().length === others, 60_000)).toBe(true);
  end.abort();
  await over;
  expect(wereReleased).toBe(true);
  expect(record.state).toBe('interrupted');
  expect(record.slices.map(({ cell }) => cell)).toEqual([alone, standard]);
});
