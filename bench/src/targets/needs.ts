import { globSync } from 'node:fs';
import { UserError } from '../base/errors.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../services/index.ts';
import { pathsOf } from '../services/service.ts';
import { onPath } from '../system/on-path.ts';

/** Where to get what targets need, as far as that is known. */
const SOURCES: Readonly<Record<string, string>> = {
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
};

interface Needs {
  name: string;
  needs: readonly string[];
  services: Partial<Record<ServiceName, unknown>>;
}

export interface Need {
  /** Names of programs and patterns of absolute paths, of which one has to be there. */
  any: readonly string[];
  /** What it is, and where to get it if that is known. */
  label: string;
}

/** What a target needs beside Node. */
export function needsOf({ needs, services }: Needs): Need[] {
  const own = needs.map((need) => {
    const isKnown = Object.hasOwn(SOURCES, need);
    return { any: [need], label: isKnown ? `${need} (${SOURCES[need]})` : need };
  });
  const declared = SERVICE_NAMES.filter((name) => services[name] !== undefined);
  const ofServices = declared.flatMap((name) => {
    const { label, packages, program, fresh } = SERVICES[name];
    const source = `Debian: apt-get install ${packages.join(' ')}`;
    return [program, ...(fresh ? [fresh.program] : [])].map((names) => {
      return { any: pathsOf(names), label: `${label} (${source})` };
    });
  });
  return [...own, ...ofServices];
}

function isHere({ any }: Need): boolean {
  return any.some((name) => (name.startsWith('/') ? globSync(name).length > 0 : onPath(name)));
}

/** The targets that lack nothing, and what each of the others lacks, as `gin needs go (https://…)`. */
export function runnable<T extends Needs>(
  all: readonly T[],
  isThere: (need: Need) => boolean = isHere,
): { targets: T[]; leftOut: string[] } {
  const targets: T[] = [];
  const leftOut: string[] = [];
  for (const target of all) {
    const lacking = needsOf(target).filter((need) => !isThere(need));
    const labels = [...new Set(lacking.map(({ label }) => label))];
    if (labels.length === 0) targets.push(target);
    else leftOut.push(`${target.name} needs ${labels.join(' and ')}`);
  }
  return { targets, leftOut };
}

/** @throws UserError that says what these targets lack, on this machine or on one with another name. */
export function requireNeeds(
  targets: readonly Needs[],
  machine = 'this machine',
  isThere?: (need: Need) => boolean,
): void {
  const { leftOut } = runnable(targets, isThere);
  if (leftOut.length === 0) return;
  throw new UserError(
    `not on ${machine}: ${leftOut.join('; ')}`,
    'Install what is missing, or leave these targets out of --targets.',
  );
}
