import { pointOf } from '../../math/statistics.ts';
import type { PartCost, Where } from '../../summary/where.ts';
import { whereTable } from '../charts/where.ts';
import type { Section } from '../document.ts';
import { microseconds, plusMinus, signedPlusMinus } from '../format.ts';
import { paragraph, section } from '../section.ts';
import { amount, tableOf, words } from '../tabulate.ts';
import {
  agreementSentences,
  functionName,
  howSentence,
  partName,
  smallText,
  whySentence,
} from './where-text.ts';

/** A part that takes less of a request than this share of it is told of in detail only. */
const SMALL = 0.01;
/** Functions beneath a part. */
const FUNCTIONS = 5;

/** What a run that sampled is about: where the time goes, and why one costs more than another. */
export function whereSections(wheres: readonly Where[], details: boolean): Section[] {
  if (wheres.length === 0) {
    return [section('Where the microseconds go', [paragraph('Nothing was sampled here.')])];
  }
  const upwards = wheres.toSorted(
    (a, b) => (pointOf(a.measured) ?? 0) - (pointOf(b.measured) ?? 0),
  );
  const why = upwards.flatMap((where) => whySentence(where) ?? []);
  const answer = section('Where the microseconds go', [
    whereTable(upwards),
    ...why.map(paragraph),
    paragraph(agreementSentences(wheres).join(' ')),
  ]);
  return [
    answer,
    ...upwards.map((where) => targetSection(where, details)),
    section('How it is known', [paragraph(howSentence(wheres))]),
  ];
}

/** A row: a part, or beneath it one of its functions. */
type Row = { kind: 'part'; cost: PartCost } | { kind: 'function'; text: string; ns: number };

/** Whom the time of a target's requests goes to. */
function targetSection({ target, over, measured, more, parts }: Where, details: boolean): Section {
  const least = (pointOf(measured) ?? 0) * SMALL;
  const isShown = ({ ns, more: own }: PartCost) => {
    const values = [pointOf(ns) ?? 0, pointOf(own) ?? 0];
    return details || values.some((value) => Math.abs(value) >= least);
  };
  const shown = parts.filter(isShown);
  const small = parts.filter((part) => !isShown(part));
  const rows = shown.flatMap((cost): Row[] => [
    { kind: 'part', cost },
    ...(details ? functionsOf(cost) : []),
  ]);
  const columns = [
    amount('', 'CPU\nµs/request', costText),
    ...(over === null ? [] : [amount('', `more than\n${over.label}`, moreText)]),
    // In detail the functions have rows of their own.
    ...(details ? [] : [words('', 'mostly', mostlyText)]),
  ];
  const total =
    `Measured without sampling: ${plusMinus(measured, 1000)} µs` +
    `${over === null ? '' : `, ${signedPlusMinus(more, 1000)} against ${over.label}`}.` +
    `${small.length === 0 ? '' : ` Not shown: ${smallText(small)}.`}`;
  return section(target.label, [tableOf(['whose', nameText], columns, rows), paragraph(total)]);
}

function functionsOf({ functions }: PartCost): Row[] {
  return functions.slice(0, FUNCTIONS).map((each): Row => {
    return { kind: 'function', text: functionName(each), ns: each.ns };
  });
}

function nameText(row: Row): string {
  return row.kind === 'part' ? partName(row.cost.part) : `· ${row.text}`;
}

function costText(row: Row): string {
  return row.kind === 'part' ? plusMinus(row.cost.ns, 1000) : microseconds(row.ns);
}

function moreText(row: Row): string {
  return row.kind === 'part' ? signedPlusMinus(row.cost.more, 1000) : '';
}

/** The costliest function of a part; those without a file say nothing beside the part's own name. */
function mostlyText(row: Row): string | null {
  if (row.kind !== 'part') return '';
  const [most] = row.cost.functions;
  if (most === undefined) return null;
  return most.file === null && most.name.startsWith('(') ? null : functionName(most);
}
