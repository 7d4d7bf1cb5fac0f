import { type Exchange, requestName } from './exchange.ts';
import type { LocalTarget } from './targets.ts';

/**
 * These targets, one for each of their requests: `app` with `GET /home` and `GET /latest` becomes
 * `app-home` and `app-latest`, each a server of its own, over and a variant of those that are asked
 * the same. A target with a single request, or with several of one path and method, is as it was.
 */
export function byRequest(targets: readonly LocalTarget[]): LocalTarget[] {
  const named = new Map(targets.map((target) => [target.name, namesByRequest(target)]));
  return targets.flatMap((target) => {
    const parts = [...Map.groupBy(target.requests, requestName)];
    return parts.map(([asked, requests]): LocalTarget => {
      const same = (other: string | null) => {
        const names = other === null ? undefined : named.get(other);
        // Who is not here keeps the name by which it is missing.
        return names === undefined ? other : (names.get(asked) ?? null);
      };
      const path = requests[0]?.request.path ?? '';
      return {
        ...target,
        name: named.get(target.name)?.get(asked) ?? target.name,
        label: parts.length === 1 ? target.label : `${target.label} ${path}`,
        over: same(target.over),
        variantOf: same(target.variantOf),
        requests,
      };
    });
  });
}

/** What a target is called for each of its requests, by their names. */
function namesByRequest({ name, requests }: LocalTarget): Map<string, string> {
  const different = [...new Map(requests.map((each) => [requestName(each), each])).values()];
  if (different.length === 1) return new Map(different.map((each) => [requestName(each), name]));
  const short = different.map(({ request: { path } }) => slugOf(path));
  const long = different.map(longSlugOf);
  const isOne = (slugs: string[], slug: string) => slugs.indexOf(slug) === slugs.lastIndexOf(slug);
  return new Map(
    different.map((exchange, place) => {
      const [slug = '', longer = ''] = [short[place], long[place]];
      const numbered = isOne(long, longer) ? longer : `${place + 1}-${longer}`;
      return [requestName(exchange), `${name}-${isOne(short, slug) ? slug : numbered}`];
    }),
  );
}

function slugOf(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
}

function longSlugOf({ request: { method, path } }: Exchange): string {
  return `${method.toLowerCase()}-${slugOf(path)}`;
}
