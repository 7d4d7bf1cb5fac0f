import { expect, test } from 'vitest';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { CLUSTER_OF_2, SINGLE, WAYS } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CLEARED_MS, hold, killAfter } from './holding.ts';

const place = ownPlace();

// The delays cover all phases of a start, most densely where processes are started. Several launchers at once are
// slower, which shifts the phases.
test.each([
  ...[
    [5, 15, 20, 25, 40],
    [10, 20, 30, 50, 70],
    [100, 200, 350, 400, 600, 1000],
  ].map((delaysMs) => {
    return { id: 'all ways', names: ['ok', 'slow-start'], topologies: WAYS, delaysMs };
  }),
  ...WAYS.map((topology) => {
    const delaysMs = [100, 200, 300, 450, 600, 900, 1300];
    return { id: topology.id, names: ['ok'], topologies: [topology], delaysMs };
  }),
])('launchers killed $delaysMs ms into the start of $id leave nothing', async (given) => {
  const { names, topologies, delaysMs } = given;
  const killing = delaysMs.map((delayMs) => killAfter(hold(place, names, topologies), delayMs));
  await Promise.all(killing);
  await place.untilEmpty(3 * CLEARED_MS);
});

test.skipIf(!CAN_LIMIT)(
  'launchers of limited servers killed at any moment leave no group',
  async () => {
    const killing = [5, 50, 200, 500, 1000].map((delayMs) => {
      return killAfter(hold(place, ['ok'], [SINGLE, CLUSTER_OF_2], 0.5), delayMs);
    });
    await expect.poll(() => place.runFolders().length, { timeout: CLEARED_MS }).toBe(5);
    const runs = place.runFolders();
    await Promise.all(killing);
    await place.untilEmpty(CLEARED_MS);
    expect(groupsOf(runs)).toEqual([]);
  },
);
