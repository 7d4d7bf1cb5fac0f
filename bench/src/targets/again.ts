import type { LocalTarget, Target } from './targets.ts';

/** What the second copy of a target changes: nothing. */
const AGAIN = 'the same again';

/** The same target once more, to show how far apart the same thing comes out. */
export function again(target: LocalTarget): LocalTarget {
  const { name, label } = target;
  return {
    ...target,
    name: `${name}@again`,
    label: `${label} again`,
    variantOf: name,
    variant: AGAIN,
  };
}

/** Whether a target is such a copy. */
export function isAgain({ variant }: Pick<Target, 'variant'>): boolean {
  return variant === AGAIN;
}
