import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import { absolute } from '../base/places.ts';
import { usesPackage } from '../system/packages.ts';
import { readManifest } from './manifest.ts';
import type { LocalTarget } from './targets.ts';

/** Another version of a dependency, from the registry or elsewhere; without a target, of the only one that has it. */
export interface AskedChange {
  target: string | null;
  dependency: string;
  version: string;
}

export interface Change extends Pick<AskedChange, 'dependency' | 'version'> {
  target: LocalTarget;
}

const manifestSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
});

/** A target's `package.json`; an empty one if it has none. @throws UserError for malformed dependencies. */
export function manifestOf({ directory }: LocalTarget): z.infer<typeof manifestSchema> {
  const { data, error: cause } = manifestSchema.safeParse(readManifest(directory) ?? {});
  if (data !== undefined) return data;
  throw new UserError(
    `${join(directory, 'package.json')} does not say what it depends on`,
    'Correct its "dependencies", which are texts by the names of packages.',
    { cause },
  );
}

/** Where npm finds a version outside of the registry, with an absolute path; null for one of the registry. */
export function npmSpec(version: string): string | null {
  if (/^[\w.^~<>=*+-]+$/.test(version) && !/\.t(ar\.)?gz$/.test(version)) return null;
  const path = version.replace(/^file:/, '');
  const isAddress = /^[\w+-]+:|^[\w-]+\/[\w.-]+(#|$)/.test(path);
  return isAddress ? path : `file:${absolute(path)}`;
}

/** The targets of these changes. @throws UserError for a dependency of none of them, or of several if none is named. */
export function resolveChanges(targets: LocalTarget[], asked: AskedChange[]): Change[] {
  return asked.map(({ target: name, dependency, version }) => {
    const named = targets.filter((target) => name === null || target.name === name);
    if (named.length === 0) {
      throw new UserError(
        `--with ${name}:${dependency}: ${name} is not measured`,
        `The targets of this run are: ${namesOf(targets)}.`,
      );
    }
    const direct = named.filter((each) => dependenciesOf(each).includes(dependency));
    const indirect = () => named.filter(({ directory }) => usesPackage(directory, dependency));
    const having = direct.length > 0 ? direct : indirect();
    const [target, ...others] = having;
    if (target === undefined) {
      const known = [...new Set(named.flatMap(dependenciesOf))];
      const who =
        named.length === 1 ? `${namesOf(named)} does not depend` : 'no target of this run depends';
      throw new UserError(
        `--with ${dependency}: ${who} on it`,
        known.length === 0
          ? 'There is no dependency to change.'
          : `Dependencies are: ${known.join(', ')}.`,
      );
    }
    if (others.length > 0) {
      throw new UserError(
        `--with ${dependency}: several targets depend on it: ${namesOf(having)}`,
        `Say of which, as in --with ${target.name}:${dependency}@${version}.`,
      );
    }
    return { target, dependency, version };
  });
}

function dependenciesOf(target: LocalTarget): string[] {
  return Object.keys(manifestOf(target).dependencies);
}

function namesOf(targets: readonly LocalTarget[]): string {
  return targets.map(({ name }) => name).join(', ');
}
