import { buildTargets } from '../launch/build.ts';
import { checkOut } from '../launch/check-out.ts';
import { requireLimits } from '../launch/launch.ts';
import { provideRuntimes, provideVariant } from '../launch/provide.ts';
import { startLaunchSession } from '../launch/session.ts';
import { SYSTEM_CLOCK } from '../load/clock.ts';
import { startGenerator } from '../load/generator.ts';
import { inspectHosts } from '../load/host-state.ts';
import { startSeries } from '../load/series.ts';
import { describeMachine } from '../system/machine.ts';
import { arrange } from './arrange.ts';
import { measureIdle } from './idle.ts';

/** This machine, with real servers and real load. */
export const SYSTEM = {
  clock: SYSTEM_CLOCK,
  /** The machine, with the versions of what the packages in these folders use. */
  describeMachine,
  requireLimits,
  buildTargets,
  provideRuntimes,
  provideVariant,
  checkOut,
  startLaunches: startLaunchSession,
  startGenerator,
  inspectHosts,
  startSeries,
  measureIdle,
  arrange,
  /** The JSON that a GET of this URL returns. @throws for any other answer. */
  ask: async (url: string): Promise<unknown> => await (await fetch(url)).json(),
  /** The peak memory of the harness's own process, bytes. */
  peakBytes: () => process.resourceUsage().maxRSS * 1024,
};

/** Everything outside the process that a run touches: servers, load, clock, machine. Tests simulate it. */
export type Backend = typeof SYSTEM;
