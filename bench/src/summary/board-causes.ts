import { areComparable, sidesOf, slicesOf, THROUGHPUT } from '../figures/figures.ts';
import { cpuOfRole } from '../figures/roles.ts';
import type { ServiceFigures } from '../figures/services.ts';
import { difference, type Estimate, ratio } from '../math/statistics.ts';
import { type Comparison, compare, NEITHER } from '../math/verdicts.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import type { BoardLevel, BoardRow } from './board-levels.ts';
import {
  askedFor,
  type BoardPath,
  BUN,
  GO,
  HOME,
  isPublished,
  LATEST,
  nPlusOneName,
  publishedName,
  STANDARD,
} from './board-names.ts';

/** What a request takes of the CPU, ns, and of whom. */
export interface Taken {
  target: Target;
  server: Estimate;
  services: ServiceFigures['each'];
  together: Estimate;
}

/** What a request takes more of the CPU with a choice than without it, ns, server and services together. */
export interface Choice {
  target: Target;
  over: Target;
  cpuNs: Estimate;
}

/** CPU time of a request, server and services together, of one target over that of another. */
export interface Beside {
  target: Target;
  other: Target;
  comparison: Comparison;
}

/** Where the time of the published two goes, under the fewest connections, as single processes. */
export interface BoardCauses {
  /** What was not measured is not there. */
  latest: Taken[];
  home: Taken[];
  /** Each alone, of the published two, on both paths. */
  choices: Choice[];
  /** What Go costs more as published than with its five queries a post alone: prepared, on two idle connections. */
  preparing: Choice | null;
  /** Go beside Bun: as published, with five queries a post, with one query, and without any. */
  asPublished: Beside | null;
  nPlusOne: Beside | null;
  oneQuery: Beside | null;
  atHome: Beside | null;
  /** Go's standard router beside the published one, on the home page. */
  standard: Beside | null;
  /** How often Go answers on more cores beside one, path by path. */
  cores: { path: BoardPath; target: Target; topology: Topology; times: Estimate }[];
}

/** Finds out of a run where the time goes. */
export function findCauses(record: RunRecord, levels: readonly BoardLevel[]): BoardCauses {
  const at = (path: BoardPath) => levels.find((level) => level.path === path)?.rows ?? [];
  const rows = [...at(HOME), ...at(LATEST)];
  const plain = rows.filter(({ topology }) => isPlain(topology));
  const find = (name: string) => plain.find(({ summary }) => summary.target.name === name);
  const main = (name: string, path: BoardPath) => find(askedFor(name, path));
  const besides = compareAll(record, [
    [find(publishedName(GO, LATEST)), find(publishedName(BUN, LATEST))],
    [find(nPlusOneName(GO)), find(nPlusOneName(BUN))],
    [main(GO, LATEST), main(BUN, LATEST)],
    [main(GO, HOME), main(BUN, HOME)],
    [main(STANDARD, HOME), main(GO, HOME)],
  ]);
  const [asPublished = null, nPlusOne = null, oneQuery = null] = besides;
  const [, , , atHome = null, standard = null] = besides;
  const takenBy = (path: BoardPath) => [GO, BUN].flatMap((name) => takenOf(main(name, path)));
  const choices = plain.flatMap((row) => {
    const { target } = row.summary;
    const over = [GO, BUN].flatMap((name) => [main(name, HOME), main(name, LATEST)]);
    const base = over.find((each) => each?.summary.target.name === target.variantOf);
    return base === undefined || isPublished(target) ? [] : choiceOf(record, row, base);
  });
  const [preparing = null] = choiceOf(
    record,
    find(publishedName(GO, LATEST)),
    find(nPlusOneName(GO)),
  );
  return {
    latest: takenBy(LATEST),
    home: takenBy(HOME),
    choices,
    preparing,
    ...{ asPublished, nPlusOne, oneQuery, atHome, standard },
    cores: [HOME, LATEST].flatMap((path) => coresOf(record, path, at(path))),
  };
}

type Maybe = BoardRow | undefined;

function takenOf(row: Maybe): Taken[] {
  if (row?.summary.outcome.state !== 'measured') return [];
  const { figures, services } = row.summary.outcome;
  const server = figures.cpuPerRequest;
  if (server.kind === 'none') return [];
  return [
    {
      target: row.summary.target,
      server,
      services: services?.each ?? [],
      together: services?.total.cpuPerRequest ?? server,
    },
  ];
}

function choiceOf(record: RunRecord, row: Maybe, base: Maybe): Choice[] {
  if (row === undefined || base === undefined) return [];
  const together = cpuOfRole(record, 'total');
  const [own, other] = [row, base].map(({ summary }) => slicesOf(record, summary.cell));
  const cpuNs = difference(sidesOf(own ?? [], other ?? [], together));
  if (cpuNs.kind === 'none') return [];
  return [{ target: row.summary.target, over: base.summary.target, cpuNs }];
}

/** Compares the pairs that were measured as one family; null for each of the others. */
function compareAll(record: RunRecord, pairs: readonly [Maybe, Maybe][]): (Beside | null)[] {
  const together = cpuOfRole(record, 'total');
  const measured = pairs.map(([row, other]) => {
    if (row === undefined || other === undefined) return null;
    const [slices, others] = [row, other].map(({ summary }) => slicesOf(record, summary.cell));
    const sides = sidesOf(slices ?? [], others ?? [], together);
    const targets = { target: row.summary.target, other: other.summary.target };
    return areComparable(sides) ? { ...targets, sides } : null;
  });
  const known = measured.filter((each) => each !== null);
  const compared = compare(
    known.map(({ sides }) => ({ sides, mayBeBetter: NEITHER })),
    { better: 'less', equivalence: record.plan.equivalence },
  );
  return measured.map((each) => {
    const comparison = each === null ? undefined : compared[known.indexOf(each)];
    if (each === null || comparison === undefined) return null;
    return { target: each.target, other: each.other, comparison };
  });
}

/** Of the published Go on more cores than one, within rounds. */
function coresOf(
  record: RunRecord,
  path: BoardPath,
  rows: readonly BoardRow[],
): BoardCauses['cores'] {
  const own = rows.filter(({ summary }) => summary.target.name === askedFor(GO, path));
  const one = own.find(({ topology }) => isPlain(topology));
  const most = own.toSorted((a, b) => b.topology.processes - a.topology.processes)[0];
  if (one === undefined || most === undefined || one === most) return [];
  const [slices, others] = [most, one].map(({ summary }) => slicesOf(record, summary.cell));
  const times = ratio(sidesOf(slices ?? [], others ?? [], THROUGHPUT));
  const { topology, summary } = most;
  return times.kind === 'none' ? [] : [{ path, target: summary.target, topology, times }];
}
