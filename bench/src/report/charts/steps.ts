import type { OverheadTable } from '../../summary/comparisons.ts';
import type { Intervals } from '../document.ts';
import { signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';

/** What each target adds to a request of what it is built on. */
export function stepsChart({ rows, condition }: OverheadTable): Intervals {
  return {
    kind: 'intervals',
    title: 'What each adds to a request',
    description:
      `CPU time more than what it is built on takes, ${conditionName(condition)}; with 95 % intervals over ` +
      'launches. One that holds 0 may cost nothing.',
    axis: { label: 'µs of CPU more', unit: 1000, scale: 'linear', origin: 0, ticks: null },
    band: null,
    other: null,
    rows: rows.map(({ target, over, comparison: { difference } }) => ({
      name: `${target.label} over ${over.label}`,
      estimate: difference,
      text: signedPlusMinus(difference, 1000),
      other: null,
    })),
  };
}
