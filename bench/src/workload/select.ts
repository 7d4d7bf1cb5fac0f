import { originalOf } from '../targets/copies.ts';
import type { Target } from '../targets/targets.ts';
import type { Conditions, Selector } from './declaration.ts';

/** Whether a target is among those that are selected. */
export function isSelected(target: Target, selector: Selector): boolean {
  return [selector].flat().some((each) => meets(target, each));
}

function meets(
  { name, variantOf, requests, scale }: Target,
  { names, except, variants, variantsOf, path, scale: way }: Conditions,
): boolean {
  const own = originalOf(name);
  const base = variantOf === null ? null : originalOf(variantOf);
  const conditions = [
    names?.includes(own),
    except && !except.includes(own),
    variants === undefined ? undefined : variants === (variantOf !== null),
    variantsOf && base !== null && variantsOf.includes(base),
    path === undefined ? undefined : requests[0]?.request.path === path,
    way === undefined ? undefined : scale.by === way,
  ];
  return conditions.every((holds) => holds !== false);
}
