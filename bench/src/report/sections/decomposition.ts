import type { Role } from '../../figures/services.ts';
import type { Estimate } from '../../math/statistics.ts';
import type { Decomposition, DecompositionTable, Sum } from '../../summary/decomposition.ts';
import type { ChangeCost } from '../../summary/role-costs.ts';
import { uniqueFlags } from '../../validity/flags.ts';
import type { Section } from '../document.ts';
import { NONE, signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { Notes } from '../notes.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { decompositionSentences } from './decomposition-text.ts';
import { roleName } from './role-words.ts';

/** What variants cost: each decomposition taken apart, and the variants that are in none. */
export function decompositionSections(table: DecompositionTable): Section[] {
  const { decompositions, others } = table;
  const sections = decompositions.map((decomposition) =>
    decompositionSection(decomposition, table),
  );
  return others.length === 0 ? sections : [...sections, otherSection(table)];
}

/** A row of a decomposition: one change, or what all come to. */
interface Row {
  name: string;
  inOrder: RoleFigures;
  alone: RoleFigures;
}

/** Figures role by role, with the verdict where there is one to give. */
interface RoleFigures {
  cpuNs: readonly Estimate[];
  verdict: string;
  flags: ChangeCost['flags'];
}

function decompositionSection(
  decomposition: Decomposition,
  { roles, condition }: DecompositionTable,
): Section {
  const { root, parts, sums, whole } = decomposition;
  const all: Row[] = [
    ...parts.map(({ change, inOrder, alone }) => {
      return { name: change, inOrder: told(inOrder), alone: told(alone) };
    }),
    {
      name: 'sum of these',
      inOrder: summed(sums.inOrder, 'sum'),
      alone: summed(sums.alone, 'sum'),
    },
    { name: 'all of it, measured', inOrder: told(whole), alone: told(whole) },
    { name: 'the rest', inOrder: summed(sums.inOrder, 'rest'), alone: summed(sums.alone, 'rest') },
  ];
  const rows = all.filter((row) => row.inOrder !== UNTOLD || row.alone !== UNTOLD);
  const known = WAYS.filter(({ of }) => parts.some((part) => part[of] !== null));
  const ways = known.length === 0 ? WAYS.slice(0, 1) : known;
  const flagsOf = (row: Row) => uniqueFlags(ways.flatMap(({ of }) => row[of].flags));
  const notes = new Notes(rows.map((row) => ({ label: row.name, flags: flagsOf(row) })));
  const columns = [
    ...ways.flatMap(({ of, prefix }) => columnsOf<Row>(roles, prefix, (row) => row[of])),
    ...notes.column<Row>('', flagsOf),
  ];
  const name = { head: 'change', cell: (row: Row) => row.name };
  const text = [...decompositionSentences(decomposition, roles), READING].join(' ');
  const blocks = [tableOf(name, columns, rows), ...notes.blocks(), paragraph(text)];
  const heading = `What ${root.label} costs more with each change, read ${conditionName(condition)}`;
  return section(heading, blocks, notes.codes);
}

const WAYS = [
  { of: 'inOrder', prefix: '' },
  { of: 'alone', prefix: 'alone: ' },
] as const;

function otherSection({ roles, others, condition }: DecompositionTable): Section {
  const notes = new Notes(others.map(({ target, flags }) => ({ label: target.label, flags })));
  const columns = [
    { group: '', head: 'over', text: true as const, cell: ({ over }: ChangeCost) => over.label },
    ...columnsOf<ChangeCost>(roles, '', told),
    ...notes.column<ChangeCost>('', ({ flags }) => flags),
  ];
  const name = { head: 'target', cell: ({ target }: ChangeCost) => target.label };
  const blocks = [tableOf(name, columns, others), ...notes.blocks()];
  return section(`Other variants, read ${conditionName(condition)}`, blocks, notes.codes);
}

function columnsOf<R>(
  roles: readonly Role[],
  prefix: string,
  of: (row: R) => RoleFigures,
): Column<R>[] {
  return [
    ...roles.map((role, place) => ({
      group: prefix,
      head: `${prefix}${roleName(role)}\nµs/request`,
      cell: (row: R) => signedPlusMinus(of(row).cpuNs[place] ?? { kind: 'none' }, 1000),
    })),
    { group: prefix, head: `${prefix}verdict`, text: true, cell: (row) => of(row).verdict },
  ];
}

const UNTOLD: RoleFigures = { cpuNs: [], verdict: NONE, flags: [] };

function told(cost: ChangeCost | null): RoleFigures {
  if (cost === null) return UNTOLD;
  const { costs, flags } = cost;
  return {
    cpuNs: costs.map(({ comparison }) => comparison.difference),
    verdict: costs.at(-1)?.comparison.verdict ?? NONE,
    flags,
  };
}

function summed(sum: Sum | null, what: keyof Sum): RoleFigures {
  return sum === null ? UNTOLD : { cpuNs: sum[what], verdict: NONE, flags: [] };
}

const READING =
  'Each change stands on top of those below it; alone, it is the only one. A change whose interval holds 0 may cost nothing. The verdicts are about server and services together.';
