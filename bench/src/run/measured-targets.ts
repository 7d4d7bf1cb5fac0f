import type { RunningServer } from '../launch/server.ts';
import type { HandlerTime } from '../record/record.ts';
import type { LocalTarget } from '../targets/targets.ts';

/** The JSON that is answered to a GET of this URL. @throws where nothing else is. */
export type Ask = (url: string) => Promise<unknown>;

/** Who is measured, and what is asked of a server after its slice. */
export interface MeasuredTargets {
  targets: LocalTarget[];
  /** Measured once in each launch, for no table. */
  probes: LocalTarget[];
  /** What the server's own clock says, if it has one, of what came since an instant of the monotonic clock, ns. */
  readTimer: (
    server: RunningServer,
    ask: Ask,
    sinceNs: number | null,
  ) => Promise<HandlerTime | null>;
}

/** Servers that tell nothing of themselves. */
export async function noTimer(): Promise<null> {
  return null;
}
