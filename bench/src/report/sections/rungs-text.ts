import { type Estimate, pointOf } from '../../math/statistics.ts';
import type { RoleCost } from '../../summary/role-costs.ts';
import type { Endpoint } from '../../summary/rungs.ts';
import { plusMinus, signedPlusMinus } from '../format.ts';

/** How much of an endpoint is the framework, a sentence for each. */
export function endpointSentences(endpoints: readonly Endpoint[]): string[] {
  return endpoints.flatMap((endpoint) => {
    const { own, framework, cpuNs } = endpoint;
    if (own === null || pointOf(cpuNs) === null) return [];
    const whole = `Of the ${plusMinus(cpuNs, 1000)} µs that this endpoint costs on ${framework.label}`;
    return [`${whole}, ${ownText(own)}${validatorText(endpoint)}.`];
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

function validatorText({ validator }: Endpoint): string {
  if (validator === null) return '';
  const { comparison } = validator;
  const { difference: cpuNs } = comparison;
  switch (comparison.verdict) {
    case 'slower':
      return `; another ${micro(cpuNs)} are its own validator in place of ajv`;
    case 'faster':
      return `; its own validator saves CPU time beside ajv by hand (${signed(cpuNs)})`;
    case 'same':
      return `; its own validator costs what ajv by hand does (${signed(cpuNs)})`;
    case "can't tell":
      return `; whether its own validator costs more than ajv by hand can't be told yet (${signed(cpuNs)})`;
  }
}

function micro(estimate: Estimate): string {
  return `${plusMinus(estimate, 1000)} µs`;
}

function signed(estimate: Estimate): string {
  return `${signedPlusMinus(estimate, 1000)} µs`;
}
