import type { Target } from '../targets/targets.ts';

/** What the targets of the board are asked. */
export const BOARD_PATHS = ['/home', '/latest'] as const;
export type BoardPath = (typeof BOARD_PATHS)[number];
/** Without the database, and with it. */
export const [HOME, LATEST] = BOARD_PATHS;

/** The two that were published, as they ask the database unless they are a variant. */
export const GO = 'fiber';
export const BUN = 'elysia';
/** Go's own router, which was said to be slow. */
export const STANDARD = 'net-http';
/** As they were published, with all their choices at once. */
const AS_PUBLISHED = '-published';
/** With five queries a post, asked in the cheapest way. */
const N_PLUS_ONE = '-n-plus-one';
/** The one variant that has to do with the home page. */
const STATIC = '-static';

/** What a target is called without what it is asked. */
export function serverLabel({ label, requests }: Pick<Target, 'label' | 'requests'>): string {
  const path = boardPathOf({ requests });
  return path === null ? label : label.replace(new RegExp(` ${path}$`), '');
}

/** What a target is asked; null where it is something else. */
export function boardPathOf({ requests }: Pick<Target, 'requests'>): BoardPath | null {
  const asked = requests[0]?.request.path;
  return BOARD_PATHS.find((path) => path === asked) ?? null;
}

/** The name of a target when it is asked for one path. */
export function askedFor(name: string, path: BoardPath): string {
  return `${name}${path.replace('/', '-')}`;
}

/** The targets that a published figure is held against: on the home page nothing was a choice. */
export function publishedName(name: string, path: BoardPath): string {
  return askedFor(path === LATEST ? `${name}${AS_PUBLISHED}` : name, path);
}

/** With five queries a post and nothing else that is dear. */
export function nPlusOneName(name: string): string {
  return askedFor(`${name}${N_PLUS_ONE}`, LATEST);
}

/** Whether a published figure is held against this target. */
export function isPublished({ name }: Pick<Target, 'name'>): boolean {
  return BOARD_PATHS.some((path) => {
    return [GO, BUN].some((each) => publishedName(each, path) === name);
  });
}

/** Whether a target is there to be asked for its path: variants are about one of the two. */
export function isAbout(target: Pick<Target, 'requests' | 'variantOf' | 'name'>): boolean {
  const path = boardPathOf(target);
  if (path === null) return false;
  const isOfHome = target.name.endsWith(askedFor(STATIC, path));
  return target.variantOf === null || isOfHome === (path === HOME);
}

/** Whether a target, or what it is a variant of, was published. */
export function isOfPublished({ name, variantOf }: Pick<Target, 'name' | 'variantOf'>): boolean {
  const main = variantOf ?? name;
  return BOARD_PATHS.some((path) => [GO, BUN].some((each) => askedFor(each, path) === main));
}
