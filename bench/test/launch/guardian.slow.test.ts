import { expect, test } from 'vitest';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { CLUSTER_OF_2, SINGLE, WAYS } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CLEARED_MS, hold, killAfter } from './holding.ts';

const place = ownPlace();
/** These have a daemon, of which the guardian learns late. */
const UNDER_PM2 = WAYS.filter(({ manager }) => manager.startsWith('pm2'));
const TWO = [SINGLE, CLUSTER_OF_2];
/** The delays cover all phases of a start. Several launchers at once are slower, which shifts the phases. */
const STARTS = [
  { of: 'all kinds', topologies: WAYS, cpuLimit: null, delaysMs: [5, 15, 30, 60, 100] },
  { of: 'all kinds', topologies: WAYS, cpuLimit: null, delaysMs: [200, 350, 500, 700, 1000] },
  { of: 'pm2', topologies: UNDER_PM2, cpuLimit: null, delaysMs: [150, 300, 450, 600, 900, 1300] },
  { of: 'limited servers', topologies: TWO, cpuLimit: 0.5, delaysMs: [5, 50, 200, 500, 1000] },
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
