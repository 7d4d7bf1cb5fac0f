import { spin } from '../../truth/spin.ts';
import type { RunningServer } from '../launch/server.ts';
import { type HandlerTime, handlerTimeSchema } from '../record/record.ts';
import type { RunOptions } from '../request/run-options.ts';
import { isTimed, truthTargets } from '../studies/truth/targets.ts';
import { measureCommand } from './measure.ts';

const CALIBRATION_TURNS = 1e6;
const CALIBRATION_TRIES = 20;

/** Measures servers whose cost is known, and returns the exit code: 1 when the truth was missed. */
export async function truthCommand(options: RunOptions): Promise<number> {
  return await measureCommand(options, { ...truthTargets(turnsPerUs()), readTimer });
}

/** About how many turns of the spin fit into 1 µs here. */
function turnsPerUs(): number {
  const tries = Array.from({ length: CALIBRATION_TRIES }, () => {
    const begin = performance.now();
    spin(CALIBRATION_TURNS);
    return performance.now() - begin;
  });
  return CALIBRATION_TURNS / (Math.min(...tries) * 1000);
}

async function readTimer({ origin, spec }: RunningServer): Promise<HandlerTime | null> {
  if (!isTimed(spec.target)) return null;
  const response = await fetch(`${origin}/timer`);
  return handlerTimeSchema.parse(await response.json());
}
