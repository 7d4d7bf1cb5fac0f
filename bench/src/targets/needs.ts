import { globSync } from 'node:fs';
import { UserError } from '../base/errors.ts';
import { onPath } from '../system/on-path.ts';

/** How to get what targets need; of other things there is but the name. */
const SOURCES = new Map<string, string>(
  Object.entries({
    bun: 'npm i -g bun',
    cargo: 'https://rustup.rs',
    deno: 'https://docs.deno.com/runtime',
    gcc: 'the package gcc',
    go: 'https://go.dev/doc/install',
    java: 'a JDK, as the package default-jdk-headless',
    nginx: 'the package nginx-light',
    php: 'the package php-cli',
    'php-fpm': 'the package php-fpm',
    python3: 'the package python3',
    ruby: 'the package ruby',
    '/usr/{,local/}sbin/nginx': 'the package nginx-light',
    '/usr/{,local/}sbin/php-fpm*': 'the package php-fpm',
    '/usr/lib*/php/**/imagick.so': 'the package php-imagick',
    uv: 'https://docs.astral.sh/uv',
  }),
);

/** What is to be known of a target to tell what it lacks. */
interface Needing {
  name: string;
  needs: readonly string[];
}

/** The programs that a target needs and that are not on the PATH, and the files that are not there. */
function lackingOf({ needs }: Needing): string[] {
  return needs.filter((need) => !isHere(need));
}

/** A program by its name, or a file by a pattern of its whole path. */
function isHere(need: string): boolean {
  return need.startsWith('/') ? globSync(need).length > 0 : onPath(need);
}

/** What a target lacks and how to get it, as `gin needs go (https://…)`; null where it lacks nothing. */
function lackText(target: Needing): string | null {
  const lacking = lackingOf(target).map((program) => {
    const source = SOURCES.get(program);
    return source === undefined ? program : `${program} (${source})`;
  });
  return lacking.length === 0 ? null : `${target.name} needs ${lacking.join(' and ')}`;
}

/** Those of these targets that lack no program, and what the others lack. */
export function equipped<T extends Needing>(
  targets: readonly T[],
): { targets: T[]; leftOut: string[] } {
  return {
    targets: targets.filter((target) => lackingOf(target).length === 0),
    leftOut: targets.flatMap((target) => lackText(target) ?? []),
  };
}

/** @throws UserError that says which of these targets lack what. */
export function requireNeeds(targets: readonly Needing[]): void {
  const lacks = targets.flatMap((target) => lackText(target) ?? []);
  if (lacks.length === 0) return;
  throw new UserError(
    `not on the PATH: ${lacks.join('; ')}`,
    'Install what is missing, or leave these targets out of --targets.',
  );
}
