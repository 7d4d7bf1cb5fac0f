// Writes the requests of the mix, their answers, and the lists of both that the targets name; with --check, it
// says which of these files are not what it would write, and ends with 1 if any is not.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADS, BUDGETS, FIRST_100, TEN } from './ads.mjs';
import { answerWith, fullAnswerWith, objections, winnerOf } from './auction.mjs';
import { REQUESTS } from './requests.mjs';

const WORKLOAD = join(import.meta.dirname, '..');
const FILTERS = ['advertiser', 'category', 'budget', 'country', 'creative', 'os'];

/** The winner for a request, which is to be the same of any of the sets of candidates; null is none. */
function winnerFor({ name, request }) {
  const [winner, ...others] = [ADS, FIRST_100, TEN].map((ads) => winnerOf(request, ads, BUDGETS));
  if (others.some((other) => other?.id !== winner?.id)) {
    throw new Error(`${name}: not the same winner in all sets of candidates`);
  }
  return winner;
}

/** The requests whose answer would be another one without this filter. */
function decidedBy(filter) {
  return REQUESTS.filter(({ request }) => {
    const without = ADS.filter((ad) => {
      return objections(ad, request, BUDGETS).every((each) => each === filter);
    });
    const best = without.toSorted((one, other) => other.cpmMicros - one.cpmMicros)[0];
    return best?.id !== winnerOf(request, ADS, BUDGETS)?.id;
  });
}

const answered = REQUESTS.map((each) => ({ ...each, winner: winnerFor(each) }));
for (const filter of FILTERS) {
  if (decidedBy(filter).length === 0) throw new Error(`no answer depends on the ${filter} filter`);
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
/** As it was published: an ad and a link, and an error where no ad is left. */
const PUBLISHED = {
  folder: 'answers',
  make: answerWith,
  none: {
    status: 500,
    headers: JSON_TYPE,
    body: JSON.stringify({ statusCode: 500, message: 'Internal server error' }),
  },
};
/** As OpenRTB has it. */
const FULL = {
  folder: 'answers/full',
  make: fullAnswerWith,
  none: { status: 204, body: '' },
};
/** How often a request that has an answer comes for one of those that have none: no article tells of errors. */
const WEIGHT = 25;

const files = new Map();
function exchangesOf({ folder, make, none }) {
  return answered.map(({ name, request, winner }, place) => {
    const file = `${String(place + 1).padStart(2, '0')}-${name}.json`;
    files.set(join('requests', file), JSON.stringify(request));
    if (winner !== null) files.set(join(folder, file), JSON.stringify(make(winner, request)));
    return {
      method: 'POST',
      path: '/bid',
      headers: { 'content-type': 'application/json' },
      body: { file: `../requests/${file}` },
      ...(winner === null
        ? { expect: none }
        : {
            weight: WEIGHT,
            expect: { status: 200, headers: JSON_TYPE, file: `../${folder}/${file}` },
          }),
    };
  });
}

const lists = { 'requests.json': PUBLISHED, 'full-answers.json': FULL };
for (const [file, answers] of Object.entries(lists)) {
  files.set(file, `${JSON.stringify(exchangesOf(answers), null, 2)}\n`);
}

const isCheck = process.argv.includes('--check');
for (const [path, text] of files) {
  const at = join(WORKLOAD, path);
  if (existsSync(at) && readFileSync(at, 'utf8') === text) continue;
  if (!isCheck) writeFileSync(at, text);
  else {
    console.error(`${path} is not what reference/generate.mjs writes`);
    process.exitCode = 1;
  }
}
const none = answered.filter(({ winner }) => winner === null).length;
const winners = new Set(answered.map(({ winner }) => winner?.id));
console.log(`${answered.length} requests, ${none} without an answer, ${winners.size} outcomes`);
if (process.argv.includes('--explain')) {
  for (const filter of FILTERS) {
    const decided = decidedBy(filter).map(({ name }) => name);
    console.log(`${filter} decides ${decided.join(', ')}`);
  }
  for (const { name, request, winner } of answered) {
    const passed = ADS.filter((ad) => objections(ad, request, BUDGETS).length === 0).length;
    console.log(`${name}: ${passed} ads may be shown, ${winner?.id ?? 'none'} wins`);
  }
}
