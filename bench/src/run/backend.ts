import { buildTargets } from '../launch/build.ts';
import { checkOut } from '../launch/check-out.ts';
import { requireLimits } from '../launch/limits.ts';
import { provideRuntimes } from '../launch/runtimes.ts';
import { startLaunchSession } from '../launch/session.ts';
import { provideVariant } from '../launch/variants.ts';
import { SYSTEM_CLOCK } from '../load/clock.ts';
import { startGenerator } from '../load/generator.ts';
import { inspectHosts } from '../load/inspect-hosts.ts';
import type { Instruments } from '../load/measure.ts';
import { startSeries } from '../load/series.ts';
import type { Arrangement } from '../plan/plan.ts';
import { describeMachine, type Machine } from '../system/machine.ts';
import { type Arranged, arrange } from './arrange.ts';
import { measureIdle } from './idle.ts';
import type { Ask } from './measured-targets.ts';

/** Everything outside that a run touches: servers, load, clocks and the machine. Tests simulate it. */
export interface Backend extends Instruments {
  /** The machine, with the versions of what the packages in these folders use. */
  describeMachine(folders: string[]): Promise<Machine>;
  /** @throws UserError where no server can have limits as these. */
  requireLimits: typeof requireLimits;
  buildTargets: typeof buildTargets;
  provideRuntimes: typeof provideRuntimes;
  provideVariant: typeof provideVariant;
  checkOut: typeof checkOut;
  startLaunches: typeof startLaunchSession;
  startGenerator: typeof startGenerator;
  inspectHosts: typeof inspectHosts;
  /** What these servers and services use while nobody asks anything of them. */
  measureIdle: typeof measureIdle;
  /** Makes everything as a slice in this arrangement needs it; disposing puts it back. */
  arrange(arrangement: Arrangement, arranged: Arranged): Promise<AsyncDisposable>;
  ask: Ask;
  /** The most memory that the harness's own process has had, bytes. */
  peakBytes(): number;
}

/** This machine, with real servers and a real load. */
export const SYSTEM: Backend = {
  clock: SYSTEM_CLOCK,
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
  ask: async (url) => await (await fetch(url)).json(),
  peakBytes: () => process.resourceUsage().maxRSS * 1024,
};
