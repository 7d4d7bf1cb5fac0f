import { globSync } from 'node:fs';
import { UserError } from '../base/errors.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../services/index.ts';
import { pathsOf } from '../services/programs.ts';
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
  services: Partial<Record<ServiceName, unknown>>;
}

/** Something that a target needs. */
export interface Need {
  /** Names of programs, and patterns of paths from the root on; one of them is enough. */
  any: readonly string[];
  /** What it is, and how to get it, where that is known. */
  told: string;
}

/** What a target needs beside Node. */
export function needsOf({ needs, services }: Needing): Need[] {
  const own = needs.map((need) => {
    const source = SOURCES.get(need);
    return { any: [need], told: source === undefined ? need : `${need} (${source})` };
  });
  const ofServices = SERVICE_NAMES.filter((name) => services[name] !== undefined).flatMap(
    (name) => {
      const { label, packages, program, fresh } = SERVICES[name];
      const source = `Debian: apt-get install ${packages.join(' ')}`;
      return [program, ...(fresh ? [fresh.program] : [])].map((names) => {
        return { any: pathsOf(names), told: `${label} (${source})` };
      });
    },
  );
  return [...own, ...ofServices];
}

function isHere({ any }: Need): boolean {
  return any.some((name) => (name.startsWith('/') ? globSync(name).length > 0 : onPath(name)));
}

/** Those of these targets that lack nothing, and what the others lack, as `gin needs go (https://…)`. */
export function equipped<T extends Needing>(
  targets: readonly T[],
  isThere: (need: Need) => boolean = isHere,
): { targets: T[]; leftOut: string[] } {
  const all = targets.map((target) => {
    const lacking = needsOf(target).filter((need) => !isThere(need));
    return { target, lacking: [...new Set(lacking.map(({ told }) => told))] };
  });
  const [lacking = [], whole = []] = [true, false].map((isLacking) => {
    return all.filter((each) => each.lacking.length > 0 === isLacking);
  });
  return {
    targets: whole.map(({ target }) => target),
    leftOut: lacking.map((each) => `${each.target.name} needs ${each.lacking.join(' and ')}`),
  };
}

/** @throws UserError that says which of these targets lack what, on this machine or on one of another name. */
export function requireNeeds(
  targets: readonly Needing[],
  machine = 'this machine',
  isThere?: (need: Need) => boolean,
): void {
  const { leftOut } = equipped(targets, isThere);
  if (leftOut.length === 0) return;
  throw new UserError(
    `not on ${machine}: ${leftOut.join('; ')}`,
    'Install what is missing, or leave these targets out of --targets.',
  );
}
