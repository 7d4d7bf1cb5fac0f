import { explain, FAILED, INVALID, UserError } from '../base/errors.ts';
import { initialCwd } from '../base/places.ts';
import { optionsOf } from '../request/options.ts';
import { abOf, MOST_UNDER_WAY, NO_SIDES_YET } from '../suites/ab.ts';
import { whereOf } from '../suites/where.ts';
import { controlCopyOf, perRequest } from '../targets/copies.ts';
import { revisionOf, serverOfWord } from '../targets/named.ts';
import { requireNeeds } from '../targets/needs.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { CommandExit, type Invocation, type RunCommand, unlessInterrupted } from './command.ts';
import { measureCommand } from './measure.ts';
import { withModifiers } from './prepare.ts';
import { basisOf, loadFor, probeAll } from './run.ts';
import { AS_PROBED, namedServers, SERVERS } from './servers.ts';

export const ab: RunCommand = {
  name: 'ab',
  description: 'compares versions of a server: what each costs more than the first',
  options: optionsOf('ab'),
  operands: SERVERS,
  usual: AS_PROBED,
  kindOf: () => NO_SIDES_YET,
  async perform(command) {
    await using checkouts = new AsyncDisposableStack();
    const named = namedServers(command, await checkOutAll(command, checkouts));
    requireNeeds(named);
    const sides = besideFirst(await sidesOf(named, command));
    const probes = (await mapAll(sides, command, (side) => probeAll(side, command))).flat();
    const basis = basisOf(probes, command);
    const targets = probes.map(({ target }) => target);
    const twice = targets.flatMap((target) => {
      return target.variantOf === null ? [target, controlCopyOf(target)] : [target];
    });
    const over = targets.map((target) => ({ ...target, over: target.variantOf }));
    // --runtime and --with have been applied: they made the sides.
    const { runtime: _runtime, with: _with, ...given } = command.given;
    const options = { ...command.options, ...loadFor(basis, command, MOST_UNDER_WAY) };
    const where = whereOf(abOf(over, basis));
    return await measureCommand(abOf(twice, basis), { ...command, options, given }, where);
  },
};

/** Maps all items, and explains each failure. @throws CommandExit if one fails, with exit code 2 if all do. */
async function mapAll<Item, Result>(
  items: readonly Item[],
  { say }: Invocation,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    try {
      results.push(await map(item));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      say(explain(error));
    }
  }
  if (results.length < items.length) throw new CommandExit(results.length === 0 ? INVALID : FAILED);
  return results;
}

/** Checks out the revisions that words name. Returns their servers by these words. @throws CommandExit if one fails. */
async function checkOutAll(command: Invocation, checkouts: AsyncDisposableStack) {
  const { words, packages, backend, interrupts, say } = command;
  const places = new Map<string, LocalTarget>();
  await mapAll(words, command, async (word) => {
    const revision = revisionOf(word, initialCwd(), packages);
    if (revision === null || places.has(word)) return;
    const fetching = { signal: interrupts.soon, say };
    const checkout = await unlessInterrupted(command, () => backend.checkOut(revision, fetching));
    const { folder } = checkouts.use(checkout);
    places.set(word, { ...serverOfWord(folder, folder), label: word });
  });
  return places;
}

/** The sides: the servers that are named, or the versions or runtimes of a single one. */
async function sidesOf(named: LocalTarget[], command: Invocation): Promise<LocalTarget[]> {
  const { runtime = [], with: changes = [] } = command.given;
  const [only, ...others] = named;
  if (only === undefined) throw new Error('no server');
  if (others.length > 0 && (changes.length > 0 || runtime.length > 1)) {
    const message = '--with, and several --runtime, compare versions of a single server';
    throw new UserError(message, 'Name one server alone.');
  }
  const sides = await withModifiers(named, command);
  // If several versions are named, the installed one is not a side.
  const versions = changes.length > 1 ? sides.slice(runtime.length || 1) : sides;
  if (versions.length > 1) return versions;
  if (runtime.length > 0) return [only, ...versions];
  const next = 'Name a second server, or give --with or --runtime.';
  throw new UserError('there is nothing to compare it with', next);
}

/** Each side's servers, one for each request, as variants of the first's. @throws UserError if that lacks a request. */
function besideFirst(sides: LocalTarget[]): LocalTarget[][] {
  const [first] = sides;
  const all = sides.map((side) => {
    const isFirst = side === first;
    const variantOf = isFirst ? null : (first?.name ?? null);
    return { ...side, over: null, variantOf, variant: isFirst ? null : side.label };
  });
  const servers = perRequest(all);
  const alone = servers.find(({ variantOf, variant }) => variant !== null && variantOf === null);
  if (alone !== undefined) {
    const message = `${alone.label} is asked something that ${first?.label} is not`;
    throw new UserError(message, 'Give what all are asked with --path.');
  }
  return [...Map.groupBy(servers, ({ variant }) => variant).values()];
}
