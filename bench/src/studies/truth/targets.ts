import { join } from 'node:path';
import type { Work } from '../../../truth/works.ts';
import { TRUTH_FOLDER } from '../../base/places.ts';
import { textExchange } from '../../targets/exchange.ts';
import { type LocalTarget, TARGET_DEFAULTS } from '../../targets/targets.ts';

/** Work that a server does for each request, more than the one it is compared with. */
export interface Known {
  name: string;
  label: string;
  work: Work;
  /** Of a spin about its length, µs, which is measured on each machine; otherwise how many times it is done. */
  amount: number;
}

/** A server without any such work, which others are compared with. */
export function withoutWork(name: string, label = name): Known {
  return { name, label, work: 'spin', amount: 0 };
}

/** Costs that are paid at once, in a loop that does nothing else. */
const SPINS: readonly Known[] = [1, 3, 10].map((us) => {
  return { name: `spin-${us}`, label: `${us} µs more`, work: 'spin', amount: us };
});
/** Costs that leave garbage, and are paid in part when it is collected. */
export const GARBAGE: readonly Known[] = [
  { name: 'objects', label: 'objects', work: 'objects', amount: 100 },
  { name: 'json', label: 'JSON', work: 'json', amount: 2 },
  { name: 'buffers', label: 'buffers', work: 'buffers', amount: 3 },
  { name: 'survivors', label: 'objects that live on', work: 'survivors', amount: 60 },
];
/** The same in another language, over a server of its own. */
const IN_GO: readonly Known[] = [
  { name: 'go-spin-3', label: '3 µs more in Go', work: 'spin', amount: 3 },
  { name: 'go-objects', label: 'objects in Go', work: 'objects', amount: 30 },
];
/**
 * The same work at another time than in the handler: as a task after the answer, after 5 ms, every 250 ms for all
 * requests since then, once in 20,000 requests, in a thread and in a process of its own. Each is compared with a server
 * that sets the same timers and sends the same messages, but has no work.
 */
export const LATER: readonly Known[] = [
  { name: 'after', label: '3 µs after the answer' },
  { name: 'late', label: '3 µs after 5 ms' },
  { name: 'batched', label: '3 µs, every 250 ms' },
  { name: 'seldom', label: '3 µs, once in 20,000 requests' },
  { name: 'thread', label: '3 µs in a thread' },
  { name: 'child', label: '3 µs in a process' },
].map((each) => ({ ...each, work: 'spin', amount: 3 }));
/** The server that one of these is compared with. */
export function idleOf(name: string): string {
  return `${name}-idle`;
}
/** One server under two names. */
export const TWIN_NAMES = ['twin-a', 'twin-b'] as const;
const GO_NAME = 'go';
/** The known costs, in sets whose intervals hold together, each over these servers. */
export const COSTS: readonly {
  known: readonly Known[];
  over: (known: Known) => readonly string[];
  /** Which clocks know the cost: the server's own, or its own less that of the server that it is over. */
  clock: 'own' | 'more';
}[] = [
  { known: SPINS, over: () => TWIN_NAMES, clock: 'own' },
  { known: GARBAGE, over: () => TWIN_NAMES, clock: 'own' },
  { known: LATER, over: ({ name }) => [idleOf(name)], clock: 'more' },
  { known: IN_GO, over: () => [GO_NAME], clock: 'own' },
];
export const SIZED_NAME = 'sized';
/** The answer of the sized server, bytes. */
export const SIZED = { head: 200, body: 1000 };

/** What all of them do besides, µs: a server as fast as the generator looks cheaper by its pipelined requests. */
const BASE_US = 5;
const TEXT = 'Hello World!';
/**
 * Options that give equal work an equal cost. Maglev's code runs inlined work 5 times as slowly until TurboFan takes
 * over, at a different time in each server. With several threads, what V8 compiles is a race, and one start in ten was
 * 7 % more expensive. Each step in which a young generation grows makes requests then up to twice as expensive.
 */
export const NODE = [
  ...['--no-maglev', '--single-threaded'],
  ...['--min-semi-space-size=16', '--max-semi-space-size=16'],
];

export function truthTarget(
  { name, label }: Pick<Known, 'name' | 'label'>,
  start: LocalTarget['start'],
  { body = TEXT, ...parts }: Partial<LocalTarget> & { body?: string } = {},
): LocalTarget {
  return {
    ...TARGET_DEFAULTS,
    name,
    label,
    start,
    suite: 'frameworks',
    port: 3098,
    directory: TRUTH_FOLDER,
    requests: [textExchange(body, { headers: { 'content-type': 'text/plain' } })],
    ...parts,
  };
}

const GO_SERVER = 'dist/server';
/** How the server in Go is built, and that it takes as many threads as it has cores. */
const GO = {
  directory: join(TRUTH_FOLDER, 'go'),
  needs: ['go'],
  build: ['go', 'build', '-o', GO_SERVER, '.'],
  scale: { by: 'threads', env: 'GOMAXPROCS' },
} satisfies Partial<LocalTarget>;

/** How a server on Node with this work starts, with further options of Node, if a spin of 1 µs takes so many turns. */
export function startOnNode(
  known: Known,
  turnsPerUs: number,
  options: readonly string[] = [],
): LocalTarget['start'] {
  return ['node', ...NODE, ...options, 'working.ts', ...argumentsOf(known, turnsPerUs)];
}

function argumentsOf({ work, amount }: Known, turnsPerUs: number) {
  const turns = (us: number) => String(Math.round(us * turnsPerUs));
  return [turns(BASE_US), work, work === 'spin' ? turns(amount) : String(amount)] as const;
}

/** Twins; servers with more work and a clock around it, on Node and in Go; a probe with answers of known size. */
export function truthTargets(turnsPerUs: number): Record<'targets' | 'probes', LocalTarget[]> {
  const onNode = (known: Known, over: string | null) => {
    return truthTarget(known, startOnNode(known, turnsPerUs), { over });
  };
  const inGo = (known: Known, over: string | null) => {
    return truthTarget(known, [GO_SERVER, ...argumentsOf(known, turnsPerUs)], { ...GO, over });
  };
  const [twin] = TWIN_NAMES;
  const later = LATER.flatMap((each) => {
    const [base, , own] = argumentsOf(each, turnsPerUs);
    const start = (turns: string): LocalTarget['start'] => {
      return ['node', ...NODE, 'later.ts', base, each.name, turns];
    };
    const idle = { name: idleOf(each.name), label: `${each.name}, nothing to do` };
    return [
      truthTarget(idle, start('0'), { over: twin }),
      truthTarget(each, start(own), { over: idle.name, variantOf: idle.name }),
    ];
  });
  const sized = truthTarget(
    { name: SIZED_NAME, label: 'known size' },
    ['node', 'sized.ts', String(SIZED.head), String(SIZED.body)],
    { body: 'x'.repeat(SIZED.body) },
  );
  const targets = [
    ...TWIN_NAMES.map((name) => onNode(withoutWork(name), null)),
    ...[...SPINS, ...GARBAGE].map((each) => onNode(each, twin)),
    ...later,
    inGo(withoutWork(GO_NAME, 'Go'), null),
    ...IN_GO.map((each) => inGo(each, GO_NAME)),
  ];
  return { targets, probes: [sized] };
}
