// Writes the requests of the mix, their answers, and both into the targets' bench blocks; with --check, it
// says which of these files are not what it would write, and ends with 1 if any is not.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADS, BUDGETS, FIRST_100, TEN } from './ads.mjs';
import { answerWith, objections, winnerOf } from './auction.mjs';
import { REQUESTS } from './requests.mjs';

const WORKLOAD = join(import.meta.dirname, '..');
const TARGETS = ['fastify', 'gin', 'nest', 'nest-fastify'];
const FILTERS = ['advertiser', 'category', 'budget', 'country', 'creative', 'os'];

/** The answer to a request, which is to be the same from any of the sets of candidates; null is none. */
function answerTo({ name, request }) {
  const [winner, ...others] = [ADS, FIRST_100, TEN].map((ads) => winnerOf(request, ads, BUDGETS));
  if (others.some((other) => other?.id !== winner?.id)) {
    throw new Error(`${name}: not the same winner in all sets of candidates`);
  }
  return winner === null ? null : answerWith(winner, request);
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

const answered = REQUESTS.map((each) => ({ ...each, answer: answerTo(each) }));
for (const filter of FILTERS) {
  if (decidedBy(filter).length === 0) throw new Error(`no answer depends on the ${filter} filter`);
}

const files = new Map();
const exchanges = answered.map(({ name, request, answer }, place) => {
  const file = `${String(place + 1).padStart(2, '0')}-${name}.json`;
  files.set(join('requests', file), JSON.stringify(request));
  if (answer !== null) files.set(join('answers', file), JSON.stringify(answer));
  return {
    method: 'POST',
    path: '/bid',
    headers: { 'content-type': 'application/json' },
    body: { file: `../requests/${file}` },
    expect:
      answer === null
        ? { status: 204, body: '' }
        : {
            status: 200,
            headers: { 'content-type': 'application/json; charset=utf-8' },
            file: `../answers/${file}`,
          },
  };
});
for (const target of TARGETS) {
  const path = join(target, 'package.json');
  const manifest = JSON.parse(readFileSync(join(WORKLOAD, path), 'utf8'));
  const { bench } = manifest;
  const written = { ...manifest, bench: { ...bench, requests: exchanges } };
  files.set(path, `${JSON.stringify(written, null, 2)}\n`);
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
const none = answered.filter(({ answer }) => answer === null).length;
const winners = new Set(answered.map(({ answer }) => answer?.seatbid[0].bid[0].adid));
console.log(`${answered.length} requests, ${none} without an answer, ${winners.size} outcomes`);
if (process.argv.includes('--explain')) {
  for (const filter of FILTERS) {
    const decided = decidedBy(filter).map(({ name }) => name);
    console.log(`${filter} decides ${decided.join(', ')}`);
  }
  for (const { name, request, answer } of answered) {
    const passed = ADS.filter((ad) => objections(ad, request, BUDGETS).length === 0).length;
    console.log(
      `${name}: ${passed} ads may be shown, ${answer?.seatbid[0].bid[0].adid ?? 'none'} wins`,
    );
  }
}
