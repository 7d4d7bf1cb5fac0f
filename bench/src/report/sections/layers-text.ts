import { type Estimate, pointOf } from '../../math/statistics.ts';
import type { Verdict } from '../../math/verdicts.ts';
import type { Endpoint, LayerTable } from '../../summary/layers.ts';
import type { RoleCost } from '../../summary/role-costs.ts';
import { plusMinus, signedPlusMinus } from '../format.ts';

/** How much of an endpoint is the framework, a sentence for each. */
export function endpointSentences(
  endpoints: readonly Endpoint[],
  swap: LayerTable['swap'],
): string[] {
  return endpoints.flatMap((endpoint) => {
    const { own, framework, cpuNs } = endpoint;
    if (own === null || pointOf(cpuNs) === null) return [];
    const whole = `Of the ${plusMinus(cpuNs, 1000)} µs that this endpoint costs on ${framework.label}`;
    return [`${whole}, ${ownText(own)}${swapText(endpoint, swap)}.`];
  });
}

function ownText({ comparison: { verdict, difference } }: RoleCost): string {
  const told: Record<Verdict, string> = {
    slower: `${micro(difference)} are the framework`,
    faster: `none is the framework, which saves some beside the floor (${signed(difference)})`,
    same: `as good as none is the framework (${signed(difference)})`,
    "can't tell": `it can't be told yet whether any are the framework (${signed(difference)})`,
  };
  return told[verdict];
}

function swapText({ swapped }: Endpoint, swap: LayerTable['swap']): string {
  if (swapped === null || swap === null) return '';
  const { own, variant } = swap;
  const { verdict, difference } = swapped.comparison;
  const told: Record<Verdict, string> = {
    slower: `another ${micro(difference)} are its ${own} in place of ${variant}`,
    faster: `its ${own} saves CPU time beside ${variant} (${signed(difference)})`,
    same: `its ${own} costs what ${variant} does (${signed(difference)})`,
    "can't tell": `whether its ${own} costs more than ${variant} can't be told yet (${signed(difference)})`,
  };
  return `; ${told[verdict]}`;
}

function micro(estimate: Estimate): string {
  return `${plusMinus(estimate, 1000)} µs`;
}

function signed(estimate: Estimate): string {
  return `${signedPlusMinus(estimate, 1000)} µs`;
}
