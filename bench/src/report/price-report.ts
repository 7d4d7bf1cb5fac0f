import type { PriceFinding, PriceVerdict } from '../studies/price/findings.ts';
import type { PriceName } from '../studies/price/plan.ts';
import type { PriceRecord } from '../studies/price/record.ts';
import { amount, type Column, type Document, tableOf, words } from './document.ts';
import { plural, range, sentences } from './format.ts';
import { slicesText, studyDocument } from './head.ts';
import { section } from './section.ts';

export function priceDocument(record: PriceRecord, findings: PriceFinding[]): Document {
  const { launches, rounds, sliceNs, state, neighbours, variants } = record;
  const amount = `${plural(launches, 'launch')} × ${slicesText(rounds, sliceNs)} with and without each`;
  const nameOf = ({ name }: PriceFinding) => ACTIONS[name];
  const table = tableOf(['what the harness does to a server', nameOf], COLUMNS, findings);
  const text = sentences(
    verdictSentence(findings),
    SAMPLING,
    VERIFICATION,
    `Alive beside the server are its twin and ${plural(neighbours, 'idle server')}; what they add is compared with ` +
      'all of them stopped.',
    !variants.includes('unpinned') &&
      'Pinning is left out: on this machine no core can be reserved for the server.',
  );
  const heading = 'What measuring adds to the cheapest server there is';
  const body = section(heading, [table, text]);
  return studyDocument('price', record, amount, state === 'complete', [body]);
}

const ACTIONS: Record<PriceName, string> = {
  sampling: 'reads its CPU and memory 10 times a second',
  verification: 'verifies it before any load',
  neighbours: 'keeps other servers alive beside it',
  pinning: 'pins it to cores of its own',
};

const VERDICTS: Record<PriceVerdict, { adds: string; sentence: string }> = {
  above: { adds: 'above 1 %', sentence: 'Shown to add more than 1 %' },
  below: { adds: 'below 1 %', sentence: 'Shown to add less than 1 %' },
  "can't tell": { adds: "can't tell", sentence: 'Not known precisely enough' },
};

const COLUMNS: Column<PriceFinding>[] = [
  // With the digits that tell 1 from 1.01.
  amount('', 'CPU/request, with\nover without', ({ ratio }) => {
    return range(ratio, (value) => value.toFixed(4));
  }),
  words('', 'it adds', ({ verdict }) => {
    const text = VERDICTS[verdict].adds;
    return verdict === 'above' ? { text, emphasis: 'warn' } : text;
  }),
];

function verdictSentence(findings: PriceFinding[]): string {
  if (findings.every(({ verdict }) => verdict === 'below')) {
    return 'Nothing that the harness does adds 1 % or more to the CPU time of a request.';
  }
  const parts = Object.entries(VERDICTS).map(([wanted, { sentence }]) => {
    const names = findings.flatMap(({ verdict, name }) => (verdict === wanted ? [name] : []));
    return names.length > 0 && `${sentence}: ${names.join(', ')}.`;
  });
  return sentences(...parts);
}

const SAMPLING =
  'Sampling is an upper bound: a run reads CPU time only at the edges of a window and memory after it, and checks four ' +
  'times a second that the processes are alive.';
const VERIFICATION =
  'Verification compares two starts of one program, which also differ by themselves.';
