import { originalOf } from '../targets/copies.ts';
import type { Target } from '../targets/targets.ts';
import type { Conditions, Selector } from './declaration.ts';

/** Whether a selector selects a target. */
export function isSelected(target: Target, selector: Selector): boolean {
  return [selector].flat().some((each) => meets(target, each));
}

function meets(
  { name, variantOf, requests, scale }: Target,
  { names, except, variants, variantsOf, path, scale: way }: Conditions,
): boolean {
  const own = originalOf(name);
  const base = variantOf === null ? null : originalOf(variantOf);
  return (
    (names === undefined || names.includes(own)) &&
    (except === undefined || !except.includes(own)) &&
    (variants === undefined || variants === (base !== null)) &&
    (variantsOf === undefined || (base !== null && variantsOf.includes(base))) &&
    (path === undefined || path === requests[0]?.request.path) &&
    (way === undefined || way === scale.by)
  );
}
