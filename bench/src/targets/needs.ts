import { globSync } from 'node:fs';
import { UserError } from '../base/errors.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../services/index.ts';
import { programsOf } from '../services/programs.ts';
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

/** Programs and files that are not here, each with how to get it, where that is known. */
function lackingOf({ needs, services }: Needing): string[] {
  const lacking = needs.filter((need) => {
    return need.startsWith('/') ? globSync(need).length === 0 : !onPath(need);
  });
  const told = lacking.map((need) => {
    const source = SOURCES.get(need);
    return source === undefined ? need : `${need} (${source})`;
  });
  const missing = SERVICE_NAMES.flatMap((name) => {
    const { label, packages, ...service } = SERVICES[name];
    const programs = programsOf(service);
    if (services[name] === undefined || programs.state === 'found') return [];
    const install = `apt-get install ${packages.join(' ')}`;
    return `${label}, and ${programs.program} is not here (Debian: ${install})`;
  });
  return [...told, ...missing];
}

/** Those of these targets that lack nothing, and what the others lack, as `gin needs go (https://…)`. */
export function equipped<T extends Needing>(
  targets: readonly T[],
): { targets: T[]; leftOut: string[] } {
  const all = targets.map((target) => ({ target, lacking: lackingOf(target) }));
  const [lacking = [], whole = []] = [true, false].map((isLacking) => {
    return all.filter((each) => each.lacking.length > 0 === isLacking);
  });
  return {
    targets: whole.map(({ target }) => target),
    leftOut: lacking.map((each) => `${each.target.name} needs ${each.lacking.join(' and ')}`),
  };
}

/** @throws UserError that says which of these targets lack what. */
export function requireNeeds(targets: readonly Needing[]): void {
  const { leftOut } = equipped(targets);
  if (leftOut.length === 0) return;
  throw new UserError(
    `not on this machine: ${leftOut.join('; ')}`,
    'Install what is missing, or leave these targets out of --targets.',
  );
}
