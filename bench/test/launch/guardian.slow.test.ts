import { expect, test } from 'vitest';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { CLUSTER_OF_2, SINGLE, WAYS } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CLEARED_MS, hold, killAfter } from './holding.ts';

const place = ownPlace();

// The moments are spread over what a start is made of, closest where processes are born; none of
// them may matter. Several at once take longer than one, and their moments shift.
test.each([[[5, 15, 25, 40]], [[10, 20, 30, 50, 70]], [[100, 200, 350, 600, 1000]]])(
  'launchers that are killed %j ms into their start leave nothing',
  async (delaysMs) => {
    const killing = delaysMs.map((delayMs) =>
      killAfter(hold(place, ['ok', 'slow-start'], WAYS), delayMs),
    );
    await Promise.all(killing);
    await place.untilEmpty(3 * CLEARED_MS);
  },
);

test.each(WAYS)(
  'launchers that are killed at any moment of the start of $id leave nothing',
  async (topology) => {
    const delaysMs = [100, 200, 300, 450, 600, 900, 1300];
    await Promise.all(
      delaysMs.map((delayMs) => killAfter(hold(place, ['ok'], [topology]), delayMs)),
    );
    await place.untilEmpty(CLEARED_MS);
  },
);

test.skipIf(!CAN_LIMIT)(
  'launchers of servers with a CPU limit that are killed at any moment leave no group',
  async () => {
    const killing = [5, 50, 200, 500, 1000].map((delayMs) =>
      killAfter(hold(place, ['ok'], [SINGLE, CLUSTER_OF_2], 0.5), delayMs),
    );
    await expect.poll(() => place.runFolders().length, { timeout: CLEARED_MS }).toBe(5);
    const runs = place.runFolders();
    await Promise.all(killing);
    await place.untilEmpty(CLEARED_MS);
    expect(groupsOf(runs)).toEqual([]);
  },
);
