import { join, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import { standing } from '../base/places.ts';
import { usesPackage } from '../system/machine.ts';
import { readManifest } from './manifest.ts';
import type { LocalTarget } from './targets.ts';

/**
 * Another version of a dependency, as it is asked for: of the registry, or where else npm finds it; of a target, or of the
 * only one that has it.
 */
export interface AskedChange {
  target: string | null;
  dependency: string;
  version: string;
}

/** A change of a dependency of one target. */
export interface Change {
  target: LocalTarget;
  dependency: string;
  version: string;
}

const manifestSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A target's `package.json`; an empty one where it has none. @throws UserError for what is none. */
export function manifestOf({ directory }: LocalTarget): Manifest {
  const { data, error } = manifestSchema.safeParse(readManifest(directory) ?? {});
  if (data !== undefined) return data;
  throw new UserError(
    `${join(directory, 'package.json')} does not say what it depends on`,
    'Correct its "dependencies", which are texts by the names of packages.',
    { cause: error },
  );
}

/** Where npm finds a version that is none of the registry's: a path as an absolute one; null for one that is. */
export function specOf(version: string): string | null {
  if (/^[\w.^~<>=*+-]+$/.test(version) && !/\.t(ar\.)?gz$/.test(version)) return null;
  const path = version.replace(/^file:/, '');
  const isAddress = /^[\w+-]+:|^[\w-]+\/[\w.-]+(#|$)/.test(path);
  return isAddress ? path : `file:${resolve(standing(), path)}`;
}

/**
 * Which targets these changes are of.
 * @throws UserError for a target that is not among these, a dependency that none of them has, and one
 * that several have, where no target is named.
 */
export function resolveChanges(targets: LocalTarget[], asked: AskedChange[]): Change[] {
  return asked.map(({ target: name, dependency, version }) => {
    const named = targets.filter((target) => name === null || target.name === name);
    if (named.length === 0) {
      const all = targets.map((target) => target.name).join(', ');
      throw new UserError(
        `--with ${name}:${dependency}: ${name} is not measured`,
        `The targets of this run are: ${all}.`,
      );
    }
    const direct = named.filter((target) => {
      return Object.hasOwn(manifestOf(target).dependencies, dependency);
    });
    const uses = ({ directory }: LocalTarget) => usesPackage(directory, dependency);
    const having = direct.length > 0 ? direct : named.filter(uses);
    const [target, ...others] = having;
    if (target === undefined) throw unknownDependency(dependency, named);
    if (others.length > 0) {
      throw new UserError(
        `--with ${dependency}: several targets depend on it: ${having.map((each) => each.name).join(', ')}`,
        `Say of which, as in --with ${target.name}:${dependency}@${version}.`,
      );
    }
    return { target, dependency, version };
  });
}

function unknownDependency(dependency: string, targets: LocalTarget[]): UserError {
  const known = new Set(targets.flatMap((target) => Object.keys(manifestOf(target).dependencies)));
  const who =
    targets.length === 1
      ? `${targets[0]?.name} does not depend on it`
      : 'no target of this run depends on it';
  return new UserError(
    `--with ${dependency}: ${who}`,
    known.size === 0
      ? 'There is no dependency to change.'
      : `Dependencies are: ${[...known].join(', ')}.`,
  );
}
