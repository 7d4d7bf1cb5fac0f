import { TRUTH_FOLDER } from '../../base/places.ts';
import type { LocalTarget } from '../../targets/targets.ts';

/** What the truth run adds to a request, µs, about: how much it is on this machine, a clock says. */
export const EXTRA_US = [1, 3, 10] as const;
/**
 * What all of them do beside, µs: a server that does nothing else is as fast as the generator, whose
 * answers in bulk make it cheaper than it is.
 */
const BASE_US = 5;
/** The answer of the sized server, bytes. */
export const SIZED = { head: 200, body: 1000 };

const TEXT = 'Hello World!';
/**
 * So that what is known to be the same costs the same: without Maglev, whose code runs the work inlined
 * in a handler 5 times as slowly until TurboFan takes over, at a time of its own in each server; and
 * on a single thread, since which code V8 compiles when is a race otherwise, and one start in ten was
 * dearer by 7 %.
 */
const SPINNING: LocalTarget['start'] = ['node', '--no-maglev', '--single-threaded', 'spinning.ts'];

function truthTarget(
  name: string,
  label: string,
  start: LocalTarget['start'],
  { over = null, body = TEXT }: { over?: string | null; body?: string } = {},
): LocalTarget {
  return {
    name,
    label,
    suite: 'frameworks',
    over,
    start,
    port: 3098,
    request: { method: 'GET', path: '/' },
    expect: { status: 200, headers: { 'content-type': 'text/plain' }, body },
    directory: TRUTH_FOLDER,
  };
}

/** The server that spins for so many µs more than the twins, and the one that also times it. */
export function spinNames(us: number): { plain: string; timed: string } {
  return { plain: `spin-${us}`, timed: `timed-${us}` };
}

/** Whether a target has a clock around its work. */
export function isTimed({ start }: LocalTarget): boolean {
  return start.includes('timed');
}

export const TWINS = ['twin-a', 'twin-b'] as const;
export const SIZED_NAME = 'sized';

/**
 * Servers about which the truth is known: one with some work twice under two names, and that one with
 * extra work of 1, 3 and 10 µs. The probes are those with a clock around the work, and one whose answers have a
 * known size.
 */
export function truthTargets(turnsPerUs: number): Record<'targets' | 'probes', LocalTarget[]> {
  const turns = (us: number) => String(Math.round(us * turnsPerUs));
  const twins = TWINS.map((name) => truthTarget(name, name, [...SPINNING, turns(BASE_US), '0']));
  const spins = EXTRA_US.map((us) => {
    const start: LocalTarget['start'] = [...SPINNING, turns(BASE_US), turns(us)];
    return truthTarget(spinNames(us).plain, `${us} µs more`, start, { over: TWINS[0] });
  });
  const timed = EXTRA_US.map((us) => {
    const start: LocalTarget['start'] = [...SPINNING, turns(BASE_US), turns(us), 'timed'];
    return truthTarget(spinNames(us).timed, `${us} µs more, timed`, start);
  });
  const sizes = [String(SIZED.head), String(SIZED.body)];
  const sized = truthTarget(SIZED_NAME, 'known size', ['node', 'sized.ts', ...sizes], {
    body: 'x'.repeat(SIZED.body),
  });
  return { targets: [...twins, ...spins], probes: [...timed, sized] };
}
