import { UserError } from '../base/errors.ts';
import type { DriverName } from '../request/option-values.ts';
import { onPath } from '../system/on-path.ts';
import type { Payload } from '../targets/exchange.ts';
import type { Target } from '../targets/targets.ts';
import { k6Loop } from './k6-loop.ts';
import type { OpenLoop } from './loop.ts';
import { Pacer } from './pacer.ts';

/** A program or library that sends requests at a rate. */
interface Driver {
  loop: OpenLoop;
  sendsFromHosts: boolean;
  /** Whether it can send and check bodies that are not text. */
  sendsBytes: boolean;
  /** Whether it still knows when each request was planned after it has dropped one. */
  plansEverything: boolean;
  /** For a driver that is a program, which has to be on the PATH: a page about how to install it. */
  page: string | null;
}

export const DRIVERS: Readonly<Record<DriverName, Driver>> = {
  pacer: {
    loop: (order, cursors) => new Pacer(order, cursors),
    sendsFromHosts: false,
    sendsBytes: true,
    plansEverything: true,
    page: null,
  },
  k6: {
    loop: k6Loop,
    sendsFromHosts: true,
    sendsBytes: false,
    plansEverything: false,
    page: 'https://grafana.com/docs/k6/latest/set-up/install-k6',
  },
};

/** @throws UserError when this driver's program is not installed, or when it can't send what these targets expect. */
export function requireDriver(
  name: DriverName,
  targets: readonly Pick<Target, 'name' | 'requests'>[],
  hosts: readonly string[] = [],
): void {
  const { page, sendsBytes } = DRIVERS[name];
  const other = sendsBytes ? undefined : targets.find(({ requests }) => !areTexts(requests));
  if (other !== undefined) {
    throw new UserError(
      `${name} sends and checks texts, and ${other.name} has other bytes`,
      `Leave --driver ${name} out: the harness has a pacer of its own.`,
    );
  }
  if (page === null || hosts.length > 0 || onPath(name)) return;
  throw new UserError(
    `${name} is not on the PATH`,
    `Get it as ${page} says, or leave --driver ${name} out: the harness has a pacer of its own.`,
  );
}

function areTexts(requests: Target['requests']): boolean {
  const isText = (payload: Payload | null) => payload?.encoding !== 'base64';
  return requests.every(({ request, expect: { body } }) => {
    return isText(request.body) && (body.kind !== 'bytes' || isText(body.bytes));
  });
}
