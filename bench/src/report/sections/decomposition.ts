import type { Role } from '../../figures/services.ts';
import type { Estimate } from '../../math/statistics.ts';
import type { Verdict } from '../../math/verdicts.ts';
import type { Decomposition, DecompositionTable, Sum } from '../../summary/decomposition.ts';
import type { ChangeCost } from '../../summary/role-costs.ts';
import { uniqueFlags } from '../../validity/flags.ts';
import type { Section } from '../document.ts';
import { signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { tableSection } from '../section.ts';
import { amount, type Column, words } from '../tabulate.ts';
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
  verdict: Verdict | null;
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
    summedRow('sum of these', 'sum', sums),
    { name: 'all of it, measured', inOrder: told(whole), alone: told(whole) },
    summedRow('the rest', 'rest', sums),
  ];
  const known = WAYS.filter(({ of }) => parts.some((part) => part[of] !== null));
  const ways = known.length === 0 ? WAYS.slice(0, 1) : known;
  return tableSection(
    `What ${root.label} costs more with each change, read ${conditionName(condition)}`,
    {
      name: ['change', ({ name }) => name],
      columns: ways.flatMap(({ of, prefix }) => columnsOf<Row>(roles, prefix, (row) => row[of])),
      rows: all.filter((row) => row.inOrder !== UNTOLD || row.alone !== UNTOLD),
      flagsOf: (row) => uniqueFlags(ways.flatMap(({ of }) => row[of].flags)),
      text: [...decompositionSentences(decomposition, roles), READING],
    },
  );
}

const WAYS = [
  { of: 'inOrder', prefix: '' },
  { of: 'alone', prefix: 'alone: ' },
] as const;

function otherSection({ roles, others, condition }: DecompositionTable): Section {
  return tableSection(`Other variants, read ${conditionName(condition)}`, {
    name: ['target', ({ target }) => target.label],
    columns: [
      words<ChangeCost>('', 'over', ({ over }) => over.label),
      ...columnsOf<ChangeCost>(roles, '', told),
    ],
    rows: others,
    flagsOf: ({ flags }) => flags,
    text: [],
  });
}

function columnsOf<R>(
  roles: readonly Role[],
  prefix: string,
  of: (row: R) => RoleFigures,
): Column<R>[] {
  return [
    ...roles.map((role, place) => {
      const head = `${prefix}${roleName(role)}\nµs/request`;
      return amount<R>(prefix, head, (row) => signedPlusMinus(of(row).cpuNs[place], 1000));
    }),
    words(prefix, `${prefix}verdict`, (row) => of(row).verdict),
  ];
}

const UNTOLD: RoleFigures = { cpuNs: [], verdict: null, flags: [] };

function told(cost: ChangeCost | null): RoleFigures {
  if (cost === null) return UNTOLD;
  const { costs, flags } = cost;
  return {
    cpuNs: costs.map(({ comparison }) => comparison.difference),
    verdict: costs.at(-1)?.comparison.verdict ?? null,
    flags,
  };
}

function summedRow(name: string, what: keyof Sum, { inOrder, alone }: Decomposition['sums']): Row {
  const of = (sum: Sum | null): RoleFigures => {
    return sum === null ? UNTOLD : { cpuNs: sum[what], verdict: null, flags: [] };
  };
  return { name, inOrder: of(inOrder), alone: of(alone) };
}

const READING =
  'Each change stands on top of those below it; alone, it is the only one. A change whose interval holds 0 may cost nothing. The verdicts are about server and services together.';
