import { expect, test } from 'vitest';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { CLUSTER_OF_2, SINGLE, WAYS } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CLEARED_MS, hold, killAfter } from './holding.ts';

const place = ownPlace();
/** The delays cover all phases of a start. Several launchers at once are slower, which shifts the phases. */
const STARTS = [
  { of: 'all kinds', topologies: WAYS, cpuLimit: null, delaysMs: [5, 15, 30, 60, 100] },
  { of: 'all kinds', topologies: WAYS, cpuLimit: null, delaysMs: [200, 350, 500, 700, 1000] },
  {
    of: 'limited servers',
    topologies: [SINGLE, CLUSTER_OF_2],
    cpuLimit: 0.5,
    delaysMs: [5, 50, 200, 500, 1000],
  },
];

test.each(STARTS.filter(({ cpuLimit }) => cpuLimit === null || CAN_LIMIT))(
  'launchers killed $delaysMs ms into the start of $of leave nothing',
  async ({ topologies, cpuLimit, delaysMs }) => {
    const killing = delaysMs.map((delayMs) => {
      return killAfter(hold(place, ['ok', 'slow-start'], topologies, cpuLimit), delayMs);
    });
    const runs = await Promise.all(killing);
    await place.untilEmpty(3 * CLEARED_MS);
    expect(groupsOf(runs)).toEqual([]);
  },
);
