import { type Estimate, pointOf } from '../../math/statistics.ts';
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

function ownText({ comparison }: RoleCost): string {
  const { difference: cpuNs } = comparison;
  switch (comparison.verdict) {
    case 'slower':
      return `${micro(cpuNs)} are the framework`;
    case 'faster':
      return `none is the framework, which saves some beside the floor (${signed(cpuNs)})`;
    case 'same':
      return `as good as none is the framework (${signed(cpuNs)})`;
    case "can't tell":
      return `it can't be told yet whether any are the framework (${signed(cpuNs)})`;
  }
}

function swapText({ swapped }: Endpoint, swap: LayerTable['swap']): string {
  if (swapped === null || swap === null) return '';
  const { own, variant } = swap;
  const { verdict, difference: cpuNs } = swapped.comparison;
  switch (verdict) {
    case 'slower':
      return `; another ${micro(cpuNs)} are its ${own} in place of ${variant}`;
    case 'faster':
      return `; its ${own} saves CPU time beside ${variant} (${signed(cpuNs)})`;
    case 'same':
      return `; its ${own} costs what ${variant} does (${signed(cpuNs)})`;
    case "can't tell":
      return `; whether its ${own} costs more than ${variant} can't be told yet (${signed(cpuNs)})`;
  }
}

function micro(estimate: Estimate): string {
  return `${plusMinus(estimate, 1000)} µs`;
}

function signed(estimate: Estimate): string {
  return `${signedPlusMinus(estimate, 1000)} µs`;
}
