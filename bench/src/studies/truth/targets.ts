import { join } from 'node:path';
import type { Work } from '../../../truth/works.ts';
import { TRUTH_FOLDER } from '../../base/places.ts';
import { textExchange } from '../../targets/exchange.ts';
import { type LocalTarget, TARGET_DEFAULTS } from '../../targets/targets.ts';

/** Something that is done for a request beside what the twins do. */
export interface Known {
  name: string;
  label: string;
  work: Work;
  /** Microseconds of a spin, about: how long it takes on this machine a clock says; otherwise times. */
  amount: number;
}

const LATER_US = 3;

/** Costs that are paid at once, in a loop that does nothing else. */
export const SPINS: readonly Known[] = [1, 3, 10].map((us) => {
  return { name: `spin-${us}`, label: `${us} µs more`, work: 'spin', amount: us };
});
/** Costs that leave garbage, and so are paid in part when it is collected. */
export const GARBAGE: readonly Known[] = [
  { name: 'objects', label: 'objects', work: 'objects', amount: 100 },
  { name: 'json', label: 'JSON', work: 'json', amount: 2 },
  { name: 'buffers', label: 'buffers', work: 'buffers', amount: 3 },
  { name: 'survivors', label: 'objects that live on', work: 'survivors', amount: 60 },
];
/** The same in another language, over a server of its own. */
export const IN_GO: readonly Known[] = [
  { name: 'go-spin-3', label: '3 µs more in Go', work: 'spin', amount: 3 },
  { name: 'go-objects', label: 'objects in Go', work: 'objects', amount: 30 },
];
/**
 * The same work at another time than in the handler: as a task after the answer, after 5 ms, every 250 ms for all
 * that came since, once in 20,000 requests, in a thread and in a process of its own. Each over a server that sets the
 * same timers and sends the same messages, and has nothing to do.
 */
export const LATER: readonly Known[] = [
  { name: 'after', label: '3 µs after the answer' },
  { name: 'late', label: '3 µs after 5 ms' },
  { name: 'batched', label: '3 µs, every 250 ms' },
  { name: 'seldom', label: '3 µs, once in 20,000 requests' },
  { name: 'thread', label: '3 µs in a thread' },
  { name: 'child', label: '3 µs in a process' },
].map(({ name, label }) => ({ name, label, work: 'spin', amount: LATER_US }));
/** The server that one of these is held against. */
export function idleOf(name: string): string {
  return `${name}-idle`;
}
/** One server under two names. */
export const TWIN_NAMES = ['twin-a', 'twin-b'] as const;
const GO_NAME = 'go';
/** What is known, in sets whose intervals hold at once, each over these servers. */
export const COSTS: readonly {
  known: readonly Known[];
  over: (known: Known) => readonly string[];
  /** Whose clocks say what is known: that of its own work, or what it says more than what it is over. */
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

/**
 * What all of them do beside, µs: a server that does nothing else is as fast as the generator, whose
 * answers in bulk make it cheaper than it is.
 */
const BASE_US = 5;
const TEXT = 'Hello World!';
/**
 * So that what is known to be the same costs the same: without Maglev, whose code runs the work inlined
 * in a handler 5 times as slowly until TurboFan takes over, at a time of its own in each server; on a
 * single thread, since which code V8 compiles when is a race otherwise, and one start in ten was dearer
 * by 7 %; and with a young generation that is as large from the start as V8 makes it in steps, each of
 * which costs the requests of that moment up to twice.
 */
export const NODE = [
  ...['--no-maglev', '--single-threaded'],
  ...['--min-semi-space-size=16', '--max-semi-space-size=16'],
];

/** A server about which something is known. */
export function truthTarget(
  { name, label }: Pick<Known, 'name' | 'label'>,
  start: LocalTarget['start'],
  { over = null, body = TEXT, ...rest }: Partial<LocalTarget> & { body?: string } = {},
): LocalTarget {
  return {
    ...TARGET_DEFAULTS,
    name,
    label,
    suite: 'frameworks',
    over,
    start,
    port: 3098,
    requests: [
      textExchange(
        { method: 'GET', path: '/' },
        { status: 200, headers: { 'content-type': 'text/plain' }, body },
      ),
    ],
    directory: TRUTH_FOLDER,
    ...rest,
  };
}

export const WORKING = 'working.ts';
const LATER_SERVER = 'later.ts';
const GO_SERVER = 'dist/server';
/** How the server in Go is made, and that it takes one core's worth of threads. */
const GO = {
  directory: join(TRUTH_FOLDER, 'go'),
  needs: ['go'],
  build: ['go', 'build', '-o', GO_SERVER, '.'],
  scale: { by: 'threads', env: 'GOMAXPROCS' },
} satisfies Partial<LocalTarget>;

/** Whether a target has a clock around its work. */
export function isTimed({ start }: LocalTarget): boolean {
  return [WORKING, LATER_SERVER].some((each) => start.includes(each)) || start[0] === GO_SERVER;
}

/** The arguments of a server that does this for a request, where so many turns of a spin take 1 µs. */
export function doing(
  { work, amount }: Pick<Known, 'work' | 'amount'>,
  turnsPerUs: number,
): string[] {
  const turns = (us: number) => Math.round(us * turnsPerUs);
  return [String(turns(BASE_US)), work, String(work === 'spin' ? turns(amount) : amount)];
}

/**
 * Servers about which the truth is known: one with some work twice under two names, and that one with
 * more work, some of which leaves garbage; and the like in Go. All have a clock around what they do more;
 * the probe has answers of a known size.
 */
export function truthTargets(turnsPerUs: number): Record<'targets' | 'probes', LocalTarget[]> {
  const working = (known: Pick<Known, 'work' | 'amount'>): LocalTarget['start'] => {
    return ['node', ...NODE, WORKING, ...doing(known, turnsPerUs)];
  };
  const inGo = (known: Known, over: string | null) => {
    return truthTarget(known, [GO_SERVER, ...doing(known, turnsPerUs)], { ...GO, over });
  };
  const [twin] = TWIN_NAMES;
  const twins = TWIN_NAMES.map((name) => {
    return truthTarget({ name, label: name }, working({ work: 'spin', amount: 0 }));
  });
  const known = [...SPINS, ...GARBAGE].map((each) => {
    return truthTarget(each, working(each), { over: twin });
  });
  const later = LATER.flatMap((each) => {
    const [turns = '', , amount = ''] = doing(each, turnsPerUs);
    const starts = (us: string): LocalTarget['start'] => {
      return ['node', ...NODE, LATER_SERVER, turns, each.name, us];
    };
    const idle = { name: idleOf(each.name), label: `${each.name}, nothing to do` };
    return [
      truthTarget(idle, starts('0'), { over: twin }),
      truthTarget(each, starts(amount), { over: idle.name, variantOf: idle.name }),
    ];
  });
  const sizes = [String(SIZED.head), String(SIZED.body)];
  const sized = truthTarget(
    { name: SIZED_NAME, label: 'known size' },
    ['node', 'sized.ts', ...sizes],
    { body: 'x'.repeat(SIZED.body) },
  );
  const go = [
    inGo({ name: GO_NAME, label: 'Go', work: 'spin', amount: 0 }, null),
    ...IN_GO.map((each) => inGo(each, GO_NAME)),
  ];
  return { targets: [...twins, ...known, ...later, ...go], probes: [sized] };
}
