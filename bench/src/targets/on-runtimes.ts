import { type LocalRuntime, labelOn, nameOn } from './runtime.ts';
import type { LocalTarget } from './targets.ts';

/**
 * These targets on these runtimes: each that starts with `node` once for every runtime, over what it is
 * built on on the same one. A target with a command of its own stays as it is, beside the others on the
 * first runtime. Without runtimes all stay as they are.
 */
export function onRuntimes(targets: LocalTarget[], runtimes: LocalRuntime[]): LocalTarget[] {
  const [first] = runtimes;
  if (first === undefined) return targets;
  const own = new Set(targets.filter((target) => !isPortable(target)).map(({ name }) => name));
  const on = (name: string | null, runtime: LocalRuntime) => {
    return name === null || own.has(name) ? name : nameOn(name, runtime);
  };
  return targets.flatMap((target) => {
    const { name, label, over, variantOf } = target;
    const related = (runtime: LocalRuntime) => ({
      over: on(over, runtime),
      variantOf: on(variantOf, runtime),
    });
    if (!isPortable(target)) return [{ ...target, ...related(first) }];
    return runtimes.map((runtime) => ({
      ...target,
      ...related(runtime),
      name: nameOn(name, runtime),
      label: labelOn(label, runtime),
      runtime,
    }));
  });
}

function isPortable({ start: [program], external }: LocalTarget): boolean {
  return program === 'node' && external === null;
}
