/** The servers that a command line names, and what they are asked. */
import { readFileSync } from 'node:fs';
import { orUserError, UserError } from '../base/errors.ts';
import { absolute, initialCwd } from '../base/places.ts';
import type { Variable } from '../request/option-values.ts';
import type { GivenOptions } from '../request/run-options.ts';
import { type Exchange, payloadOf, requestName } from '../targets/exchange.ts';
import { namedTargets, serverOfCommand, serverOfUrl, serverOfWord } from '../targets/named.ts';
import type { LocalTarget } from '../targets/targets.ts';
import type { RunRequest } from './command.ts';

/** How a command line names them, for the help. */
export const SERVERS = [
  '[servers...]',
  'commands in quotes, folders, or targets; or one command after --',
] as const;
const MOST = 'as many as the servers take';
/** Their default load, for the help. */
export const AS_PROBED = { connections: MOST, pipelining: MOST };

/** The servers that the command line names. @throws UserError for none, a missing one, or a remote one not allowed. */
export function namedServers(
  { given, words, rest, packages }: RunRequest,
  revisions: ReadonlyMap<string, LocalTarget> = new Map(),
): LocalTarget[] {
  const place = initialCwd();
  const { url = [], pid = [], name: names = [], env = [] } = given;
  const places = [
    ...words.map((word) => revisions.get(word) ?? serverOfWord(word, place, packages)),
    ...(rest === null ? [] : [serverOfCommand(rest, place)]),
    ...url.map((origin, index) => serverOfUrl(origin, pid.slice(index, index + 1), place)),
  ];
  if (places.length === 0) {
    const ways =
      "commands in quotes ('node a.js' 'bun b.ts'), folders, one command after --, or --url";
    throw new UserError('no server is named', `Give ${ways}.`);
  }
  const named = namedTargets(places, {
    names,
    requests: requestsOf(given),
    isAsked: given.path !== undefined,
    env: Object.fromEntries(env.map(variableOf)),
  });
  const [remote] = remoteAmong(named);
  if (remote === undefined || given.allowRemote) return named;
  throw new UserError(
    `${remote.origin} is not on this machine`,
    'Load harms a server that is not yours. If it is yours, and you want to send it as many requests as it can ' +
      'answer, add --allow-remote.',
  );
}

/** The requests of all servers. @throws UserError for a file that can't be read. */
export function requestsOf(given: GivenOptions): Exchange['request'][] {
  const { path: paths = ['/'], header = [], body: text, bodyFile } = given;
  const file = bodyFile === undefined ? null : contentOf(absolute(bodyFile));
  const bytes = text === undefined ? file : Buffer.from(text);
  const body = bytes && payloadOf(bytes);
  const method = given.method ?? (body === null ? 'GET' : 'POST');
  return paths.map((path) => ({ method, path, headers: Object.fromEntries(header), body }));
}

function contentOf(path: string): Buffer {
  return orUserError(`can't read ${path}`, 'Name another --body-file.', () => readFileSync(path));
}

/** @throws UserError for a variable to be passed on that is not set. */
function variableOf({ name, value }: Variable): [string, string] {
  const found = value ?? process.env[name];
  if (found !== undefined) return [name, found];
  throw new UserError(`${name} is not set here`, `Set it, or give its value: --env ${name}=VALUE.`);
}

/** The servers that are not on this machine, and what they are asked. */
export function remoteAmong(targets: readonly LocalTarget[]): { origin: string; asked: string }[] {
  return targets.flatMap(({ external, requests }) => {
    if (external === null || isLocal(external.origin)) return [];
    return [{ origin: external.origin, asked: requests.map(requestName).join(', ') }];
  });
}

/** Whether this address is of this machine alone. */
export function isLocal(origin: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(origin).hostname);
}
