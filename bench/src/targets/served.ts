import { UserError } from '../base/errors.ts';
import { SERVICES } from '../services/index.ts';
import { programsOf } from '../services/programs.ts';
import { servicesOf, type TargetSelection } from './targets.ts';

/**
 * Leaves out targets whose services are not on this machine.
 * @throws UserError where such a target was asked for by its name.
 */
export function withServices<T extends TargetSelection>(
  chosen: T,
  named: readonly string[] | null,
): T {
  const leftOut = [...chosen.leftOut];
  const targets = chosen.targets.filter((target) => {
    const [missing] = servicesOf(target).flatMap((name) => missingOf(name));
    if (missing === undefined) return true;
    const problem = `${target.name} needs ${missing.label}, and ${missing.program} is not here`;
    const install = `apt-get install ${missing.packages.join(' ')}`;
    if (named?.includes(target.name)) {
      throw new UserError(problem, `Install it (Debian: ${install}), or leave the target out.`);
    }
    leftOut.push(`${problem} (Debian: ${install})`);
    return false;
  });
  return { ...chosen, targets, leftOut };
}

function missingOf(name: ReturnType<typeof servicesOf>[number]) {
  const { label, packages, ...service } = SERVICES[name];
  const programs = programsOf(service);
  return programs.state === 'found' ? [] : [{ label, packages, program: programs.program }];
}
