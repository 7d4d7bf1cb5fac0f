import type { Estimate } from '../math/statistics.ts';
import type { PriceFinding, PriceVerdict } from '../studies/price/findings.ts';
import type { PriceName } from '../studies/price/plan.ts';
import type { PriceRecord } from '../studies/price/record.ts';
import type { Document } from './document.ts';
import { NONE, plural } from './format.ts';
import { slicesText, studyHead } from './head.ts';
import { paragraph, section } from './section.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

/** What was measured of a thing that the harness does. */
type Measured = Extract<PriceFinding, { state: 'measured' }>;

/** The whole report of a price run. */
export function priceDocument(record: PriceRecord, findings: PriceFinding[]): Document {
  const { launches, rounds, sliceNs, state } = record;
  const amount = `${plural(launches, 'launch', 'launches')} × ${slicesText(rounds, sliceNs)} with and without each`;
  const measured = findings.filter((finding) => finding.state === 'measured');
  const body = section('What measuring adds to the cheapest server there is', [
    tableOf(['what the harness does to a server', ({ name }) => DEEDS[name]], COLUMNS, measured),
    paragraph([sentence(measured), ...remarks(record)].join(' ')),
  ]);
  const head = studyHead('price', record, { amount, isComplete: state === 'complete' });
  return { ...head, sections: [body], foot: [] };
}

const DEEDS: Record<PriceName, string> = {
  sampling: 'reads its CPU and memory 10 times a second',
  verification: 'verifies it before any load',
  neighbours: 'keeps other servers alive beside it',
  pinning: 'pins it to cores of its own',
};

const SHOWN: Record<PriceVerdict, string> = {
  below: 'below 1 %',
  above: 'above 1 %',
  "can't tell": "can't tell",
};

const COLUMNS: Column<Measured>[] = [
  amount('', 'CPU/request, with\nover without', ({ ratio }) => fine(ratio)),
  words('', 'it adds', ({ verdict }) => {
    const text = SHOWN[verdict];
    return verdict === 'above' ? { text, emphasis: 'warn' } : text;
  }),
];

function sentence(measured: Measured[]): string {
  const named = (wanted: PriceVerdict) => {
    return measured.filter(({ verdict }) => verdict === wanted).map(({ name }) => name);
  };
  const below = named('below');
  if (below.length === measured.length) {
    return 'Nothing that the harness does adds 1 % or more to the CPU time of a request.';
  }
  const parts = [
    { text: 'Shown to add more than 1 %', names: named('above') },
    { text: 'Shown to add less than 1 %', names: below },
    { text: 'Not known well enough to say', names: named("can't tell") },
  ];
  return parts
    .filter(({ names }) => names.length > 0)
    .map(({ text, names }) => `${text}: ${names.join(', ')}.`)
    .join(' ');
}

/** What the figures are worth, and what is not among them. */
function remarks({ neighbours, variants }: PriceRecord): string[] {
  const alive =
    `Alive beside the server are its twin and ${plural(neighbours, 'idle server')}; what they add ` +
    'is against the same with all of them stopped.';
  return [
    'Sampling is an upper bound: a run reads CPU time at the two edges of the window and memory ' +
      'after it, and looks four times a second whether the processes live.',
    'Verification compares two starts of one program, which also differ by themselves.',
    alive,
    ...(variants.includes('unpinned') ? [] : [NOT_PINNED]),
  ];
}

const NOT_PINNED =
  'Pinning is left out: this machine has no core that the server could have to itself.';

/** A ratio near 1, with the digits that tell it from 1.01. */
function fine(estimate: Estimate): string {
  if (estimate.kind === 'none') return NONE;
  const value = estimate.value.toFixed(4);
  if (estimate.kind === 'point') return `${value} [?]`;
  return `${value} [${estimate.low.toFixed(4)}, ${estimate.high.toFixed(4)}]`;
}
