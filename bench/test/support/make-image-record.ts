import type { RunRecord } from '../../src/record/record.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeRecord, makeTargets } from './make-record.ts';
import { ownSuite } from './own-workloads.ts';

const RATES: Record<string, number> = { served: 2.4, overloaded: 8, burst: 24 };
const WINDOW_S = 4;

/** CPU time of an image as once measured, ms: libvips is cheap in any language. */
const COSTS: Record<string, number> = {
  'go-nfnt': 250,
  'go-vips': 50,
  'go-vips-shrink-on-load': 25,
  'php-imagick': 200,
  sharp: 50,
};

const SHRINKING = 'shrinking while decoding';

export const IMAGE_TARGETS: LocalTarget[] = makeTargets(
  [
    ['go-nfnt', 'Go, nfnt/resize'],
    ['go-vips', 'Go, libvips'],
    ['go-vips-shrink-on-load', `Go, libvips (${SHRINKING})`, 'go-vips', SHRINKING],
    ['php-imagick', 'PHP, ImageMagick'],
    ['sharp', 'Node, sharp'],
  ],
  () => ({ suite: 'image' }),
);

/** The slowest server makes 4 images/s, so the rates are 2.4, 8 and 24; overloaded ones answer as many as they can. */
export function makeImageRecord(): RunRecord {
  const record = makeRecord(
    {
      suite: ownSuite('image'),
      targets: IMAGE_TARGETS,
      options: { topologies: ['single'], connections: 4, durationS: 24, sliceS: 4, launches: 3 },
      pilot: { kind: 'capacity', server: 'go-nfnt/single', perS: 4 },
    },
    ({ target, load }) => {
      const ms = COSTS[target] ?? 1;
      const most = Math.round((1000 / ms) * WINDOW_S);
      const rate = RATES[load];
      const planned = rate === undefined ? most : Math.round(rate * WINDOW_S);
      const ok = Math.min(most, planned);
      const latencyMs = load === 'limit' ? 4 * ms : ok < planned ? 2000 : ms;
      return {
        ...{ ok, windowS: WINDOW_S, cpuUsPerResponse: ms * 1000, latenciesMs: [latencyMs] },
        ...(load === 'limit' ? {} : { pace: { dropped: planned - ok } }),
        ...{ serverBytes: 100e6, peakBytes: target.startsWith('go-vips') ? 80e6 : 240e6 },
      };
    },
  );
  const judged = [160, 640].map((width) => ({
    request: `GET /image/file/landscape.jpg?w=${width}`,
    figures: { width, bytes: width * 100, psnr: width === 160 ? 33.6 : 34.5 },
  }));
  const servers = [...new Set(record.plan.cells.map(({ server }) => server))];
  const starts = servers.flatMap((server) => {
    return [0, 1, 2].map((launch) => ({ server, launch, bytes: 30e6, startNs: null, judged }));
  });
  return { ...record, starts };
}
