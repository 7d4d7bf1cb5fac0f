import { UserError } from '../base/errors.ts';
import { onPath } from '../system/on-path.ts';

/** What can send requests at a rate. */
export const DRIVERS = ['pacer', 'k6'] as const;
export type Driver = (typeof DRIVERS)[number];

/** @throws UserError when this driver is a program that is not here. */
export function requireDriver(driver: Driver): void {
  if (driver !== 'k6' || onPath('k6')) return;
  throw new UserError(
    'k6 is not on the PATH',
    'Get it as https://grafana.com/docs/k6/latest/set-up/install-k6 says, or leave --driver k6 out: the harness has a pacer of its own.',
  );
}
