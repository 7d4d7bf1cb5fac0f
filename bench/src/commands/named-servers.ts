import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, UserError } from '../base/errors.ts';
import { standing } from '../base/places.ts';
import type { Variable } from '../request/option-values.ts';
import type { RunRequest } from '../request/run-command.ts';
import type { GivenOptions } from '../request/run-options.ts';
import { type Exchange, payloadOf, requestName } from '../targets/exchange.ts';
import { type Named, namedTargets, ofCommand, ofUrl, ofWord } from '../targets/named.ts';
import type { LocalTarget } from '../targets/targets.ts';

/**
 * The servers that the command line names, with what they are asked; those of words that name revisions are given.
 * @throws UserError for none, for one that is not there, and for one elsewhere unless that is allowed.
 */
export function namedServers(
  { given, words, rest, packages }: RunRequest,
  revisions: ReadonlyMap<string, Named> = new Map(),
): Named[] {
  const place = standing();
  const { url = [], pid = [] } = given;
  const places = [
    ...words.map((word) => revisions.get(word) ?? ofWord(word, place, packages)),
    ...(rest === null ? [] : [ofCommand(rest, place)]),
    ...url.map((origin, index) => ofUrl(origin, pid.slice(index, index + 1), place)),
  ];
  if (places.length === 0) {
    throw new UserError(
      'no server',
      "Name some: commands in quotes ('node a.js' 'bun b.ts'), folders, one command after --, or --url.",
    );
  }
  const named = namedTargets(places, {
    names: given.name ?? [],
    requests: requestsOf(given, place),
    isAsked: given.path !== undefined,
    env: Object.fromEntries((given.env ?? []).map(variableOf)),
  });
  requireLocal(named, given.allowRemote === true);
  return named;
}

/** What all are asked. @throws UserError for a file that can't be read. */
export function requestsOf(given: GivenOptions, place: string): Exchange['request'][] {
  const { path: paths = ['/'], header = [], body: text, bodyFile } = given;
  const bytes = bodyFile === undefined ? null : contentOf(resolve(place, bodyFile));
  const body = text === undefined ? bytes && payloadOf(bytes) : payloadOf(Buffer.from(text));
  const method = given.method ?? (body === null ? 'GET' : 'POST');
  return paths.map((path) => ({ method, path, headers: Object.fromEntries(header), body }));
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new UserError(`can't read ${path}: ${messageOf(cause)}`, 'Name another --body-file.', {
      cause,
    });
  }
}

/** @throws UserError for a variable that is to be let through and is not there. */
function variableOf({ name, value }: Variable): [string, string] {
  const found = value ?? process.env[name];
  if (found !== undefined) return [name, found];
  throw new UserError(`${name} is not set here`, `Set it, or give its value: --env ${name}=VALUE.`);
}

const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A server that is not on this machine, and what it is asked. */
export function remoteAmong(targets: readonly LocalTarget[]): { origin: string; asked: string }[] {
  return targets.flatMap(({ external, requests }) => {
    if (external === null || isLocal(external.origin)) return [];
    return [{ origin: external.origin, asked: requests.map(requestName).join(', ') }];
  });
}

/** Whether this address is of this machine alone. */
export function isLocal(origin: string): boolean {
  return LOCAL.test(new URL(origin).hostname);
}

/** @throws UserError for an address that is not this machine's, unless that is allowed. */
function requireLocal(servers: readonly Named[], isAllowed: boolean): void {
  for (const { external } of servers.map(({ target }) => target)) {
    if (external === null || isAllowed || isLocal(external.origin)) continue;
    throw new UserError(
      `${external.origin} is not on this machine`,
      'Load harms a server that is not yours. If it is, and you want as many requests as it can answer ' +
        'sent there, add --allow-remote.',
    );
  }
}
