import { explain, UserError } from '../base/errors.ts';
import { FAILED, WRONG } from '../base/exit-codes.ts';
import { standing } from '../base/places.ts';
import type { ProbeResult } from '../launch/probe.ts';
import type { RunRequest } from '../request/run-command.ts';
import { abOf, NO_SIDES_YET, WAITING_NS } from '../suites/ab.ts';
import { whereOf } from '../suites/where.ts';
import { again } from '../targets/again.ts';
import { byRequest } from '../targets/copies.ts';
import { type Named, ofWord, revisionOf } from '../targets/named.ts';
import { requireNeeds } from '../targets/needs.ts';
import { startConsole } from './carry-out.ts';
import type { Io, Kind } from './command.ts';
import { measureCommand } from './measure.ts';
import { namedServers } from './named-servers.ts';
import { withModifiers } from './prepare.ts';
import { basisOf, learnAll, loadFor, type ProbeOutcome } from './run.ts';

/** Two sides, or several: what each costs more than the first. */
export const ab: Kind = { ...NO_SIDES_YET, perform: performAb };

async function performAb(request: RunRequest, io: Io): Promise<number> {
  await using checkouts = new AsyncDisposableStack();
  const checkedOut = await checkOutAll(request, checkouts, io);
  if (checkedOut.state === 'ended') return checkedOut.exitCode;
  const named = namedServers(request, checkedOut.places);
  requireNeeds(named.map(({ target }) => target));
  const sides = await sidesOf(named, request, io);
  if (sides.state === 'ended') return sides.exitCode;
  const told = await learnSides(sides.sides, request, io);
  if (told.state === 'ended') return told.exitCode;
  const { learnt } = told;
  const basis = basisOf(learnt);
  // They are in the sides by now.
  const { runtime: _runtime, with: _with, ...given } = request.given;
  const options = { ...request.options, ...loadFor(basis, request, WAITING_NS) };
  const targets = learnt.map(({ target }) => target);
  const twice = targets.flatMap((target) => {
    return target.variantOf === null ? [target, again(target)] : [target];
  });
  const suite = abOf(twice, basis);
  const over = targets.map((target) => ({ ...target, over: target.variantOf }));
  const where = whereOf(abOf(over, basis));
  return await measureCommand(suite, { ...request, options, given }, io, where);
}

/** Where the revisions are that are named, by their words; or that some can't be measured. */
type Checkouts =
  | { state: 'made'; places: Map<string, Named> }
  | { state: 'ended'; exitCode: number };

async function checkOutAll(
  { words, packages }: RunRequest,
  checkouts: AsyncDisposableStack,
  io: Io,
): Promise<Checkouts> {
  using runConsole = startConsole(io);
  const { interrupts, say } = runConsole;
  const places = new Map<string, Named>();
  const wanted = words.flatMap((word) => revisionOf(word, standing(), packages) ?? []);
  let failed = 0;
  for (const revision of wanted) {
    if (places.has(revision.label)) continue;
    try {
      const { folder } = checkouts.use(
        await io.backend.checkOut(revision, { signal: interrupts.soon, say }),
      );
      const { target, isDeclared } = ofWord(folder, folder);
      places.set(revision.label, { target: { ...target, label: revision.label }, isDeclared });
    } catch (error) {
      const exitCode = interrupts.exitCode();
      if (exitCode !== null) return { state: 'ended', exitCode };
      if (!(error instanceof UserError)) throw error;
      failed++;
      say(explain(error));
    }
  }
  if (failed === 0) return { state: 'made', places };
  return { state: 'ended', exitCode: failed === words.length ? WRONG : FAILED };
}

/** The sides, or that there is nothing to be compared. */
type Sides = { state: 'made'; sides: Named[] } | { state: 'ended'; exitCode: number };

/** Servers as they are named; or of the only one its versions, or what runs it. */
async function sidesOf(named: Named[], { given }: RunRequest, io: Io): Promise<Sides> {
  const { runtime: runtimes = [], with: changes = [] } = given;
  const [only, ...others] = named;
  if (only === undefined) throw new Error('no server');
  if (others.length > 0 && (changes.length > 0 || runtimes.length > 1)) throw tooMany();
  using runConsole = startConsole(io, 'start');
  const { interrupts } = runConsole;
  const sides: Named[] = [];
  for (const { target, isDeclared } of named) {
    try {
      const all = await withModifiers([target], { runtime: runtimes, with: changes }, runConsole);
      sides.push(...all.map((each) => ({ target: each, isDeclared })));
    } catch (error) {
      const exitCode = interrupts.exitCode();
      if (exitCode === null) throw error;
      return { state: 'ended', exitCode };
    }
  }
  // Of several versions none is the one that happens to be installed.
  const versions = changes.length > 1 ? sides.slice(runtimes.length || 1) : sides;
  if (versions.length > 1) return { state: 'made', sides: versions };
  if (runtimes.length > 0) return { state: 'made', sides: [only, ...versions] };
  throw new UserError(
    'there is nothing to compare it with',
    'Name a second server, or give --with or --runtime.',
  );
}

function tooMany(): UserError {
  return new UserError(
    '--with, and several of --runtime, are sides of one server, and several are named',
    'Name one server alone.',
  );
}

/** What the sides told, a server for each of their requests. It ends where there is nothing to compare. */
async function learnSides(sides: Named[], { given }: RunRequest, io: Io): Promise<ProbeOutcome> {
  const learnt: ProbeResult[] = [];
  let failed = 0;
  for (const side of besideFirst(sides)) {
    try {
      const told = await learnAll(side, given.status ?? null, io);
      if (told.state === 'ended') return told;
      learnt.push(...told.learnt);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failed++;
      io.stderr.write(`${explain(error)}\n`);
    }
  }
  if (failed === 0) return { state: 'told', learnt };
  return { state: 'ended', exitCode: learnt.length === 0 ? WRONG : FAILED };
}

/**
 * The servers of each side, one for each of its requests, as variants of those of the first.
 * @throws UserError for a side that is asked something that the first is not.
 */
function besideFirst(sides: Named[]): Named[][] {
  const [first] = sides;
  const all = sides.map(({ target }) => {
    const isFirst = target === first?.target;
    const variantOf = isFirst ? null : (first?.target.name ?? null);
    return { ...target, over: null, variantOf, variant: isFirst ? null : target.label };
  });
  const servers = byRequest(all);
  const alone = servers.find(({ variantOf, variant }) => variant !== null && variantOf === null);
  if (alone !== undefined) {
    throw new UserError(
      `${alone.label} is asked something that ${first?.target.label} is not`,
      'Say with --path what all are asked.',
    );
  }
  const bySide = Map.groupBy(servers, ({ variant }) => variant);
  return [...bySide.values()].map((own, place) => {
    const isDeclared = sides[place]?.isDeclared ?? false;
    return own.map((target) => ({ target, isDeclared }));
  });
}
