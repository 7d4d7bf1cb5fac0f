import { max, median, min } from 'simple-statistics';
import { measure, startWarming } from '../load/measure.ts';
import { mixOf } from '../load/mix.ts';
import { generatorCores, pacedOrder, type RunningCell, warmupOrder } from '../load/order.ts';
import type { Batch, BatchWindow } from '../load/protocol.ts';
import { type Cell, longestWarmupNs, type PacedWarmup, sampledCellOf } from '../plan/plan.ts';
import type { Warmup, WarmupBatch } from '../record/record.ts';
import type { InspectorResult } from '../system/inspector.ts';
import { type RunningLaunch, runningCell, withArrangement } from './context.ts';
import { addLost, retryWithNewGenerators } from './failures.ts';
import { callGraphOf } from './profiles.ts';

/** Warms a cell's server up under the cell's load, as the plan says, and records how. */
export async function warmUpServer(cell: Cell, running: RunningLaunch): Promise<void> {
  const { launch, record } = running;
  const { warmup } = record.plan;
  const on = runningCell(cell, running);
  if (on === null || warmup.kind === 'none') return;
  const done = await retryWithNewGenerators([cell], running, async () => {
    if (warmup.kind !== 'paced') return await settle(on, running);
    await pace(on, warmup, running);
    return null;
  });
  if (done !== null) record.warmups.push({ server: cell.server, launch, ...done });
}

/** Sends requests to a server at the rate of a planned warm-up; nothing is recorded. */
async function pace(on: RunningCell, planned: PacedWarmup, running: RunningLaunch) {
  const pool = await running.pool.take(generatorCores(on, 1));
  const order = pacedOrder(planned, on);
  const taken = await measure(on.server, order, pool, running.now, running.backend);
  if (taken.state !== 'measured') addLost(taken, 'warm-up', on.cell, running);
}

/** Puts load on a server until it has settled or the time is up. */
async function settle(on: RunningCell, running: RunningLaunch) {
  const { cell, server, plan } = on;
  const { now, soon } = running;
  const pool = await running.pool.take(generatorCores(on, 1));
  await using session = await startWarming(server, warmupOrder(on), pool, now);
  const takeBatch = async (window: BatchWindow) => {
    const taken = await session.take(window);
    if (taken.state === 'measured') return taken.batch;
    addLost(taken, 'warm-up', cell, running);
    return null;
  };
  const round = mixOf(server.spec.target.requests.map(({ weight }) => weight)).length;
  const act = () => warmUp({ capNs: longestWarmupNs(plan), round }, takeBatch, soon);
  const sampled = sampledCellOf(plan, cell);
  if (sampled === null) return await act();
  // Callers and callees are seen best before V8 inlines them.
  const onWatched = ({ sampled: taken }: InspectorResult) => {
    if (taken !== null) callGraphOf(server, taken);
  };
  return await withArrangement({ ...on, cell: sampled }, running, onWatched, act);
}

/** The shortest batch that is worth taking, ns. */
const SHORTEST_NS = 2e7;

/** Takes batches until the server has settled or the time is up; null if the run ends soon or the server is lost. */
export async function warmUp(
  { capNs, round }: { capNs: number; round: number },
  takeBatch: (window: BatchWindow) => Promise<Batch | null>,
  soon: AbortSignal,
): Promise<Pick<Warmup, 'batches' | 'ns' | 'outcome'> | null> {
  const batches: WarmupBatch[] = [];
  let ns = 0;
  while (!soon.aborted) {
    if (hasSettled(batches)) return { batches, ns, outcome: 'settled' };
    if (capNs - ns < SHORTEST_NS) return { batches, ns, outcome: 'capped' };
    const window = nextBatch(batches, capNs - ns, round);
    const batch = await takeBatch(window);
    if (batch === null) return null;
    batches.push({ asked: window.answers, ...batch });
    ns += batch.ns;
  }
  return null;
}

/** The first batch ends by the clock, since nobody knows yet how fast the server is. */
const PILOT_NS = 1e8;
const BATCH_NS = 1.2e8;
/** If a batch took less than this share of it, the server has become faster, and the next one is larger. */
const SHORT_SHARE = 0.6;
/** Fewer requests say nothing. */
const FEWEST = 3;

/**
 * Servers settle by requests, not by time, so batches have equal numbers of requests; they grow as long as the server
 * becomes much faster. They are whole rounds of the requests, which may differ in cost, if there is time for these.
 */
export function nextBatch(batches: readonly WarmupBatch[], leftNs: number, round: number) {
  const last = batches.at(-1);
  if (last === undefined) return { ns: Math.min(PILOT_NS, leftNs), answers: null };
  const { asked, answers, ns } = last;
  const isLong = asked !== null && ns >= SHORT_SHARE * BATCH_NS;
  const wanted = isLong ? asked : Math.max(FEWEST, Math.round((answers / ns) * BATCH_NS));
  const whole = Math.ceil(wanted / round) * round;
  const wholeNs = (whole * ns) / answers;
  const hasTime = 2 * spanOf(wholeNs) * wholeNs <= leftNs;
  return { ns: leftNs, answers: hasTime ? whole : wanted };
}

/** At least this many batches are compared with as many before them, all with the same number of requests. */
const SPAN = 3;
/** Two are enough if each takes so long, ns: what else runs on the machine averages out in it. */
const LONG_BATCH_NS = 1e9;
const spanOf = (batchNs: number) => (batchNs >= LONG_BATCH_NS ? 2 : SPAN);
/** As a share of all batches of that size: the slower a server settles, the longer it may look settled by chance. */
const SPAN_SHARE = 0.4;
/** How much the minimum CPU time per request may differ between the two; in long batches only a fall counts. */
const COST_SHARE = 0.05;
/** How much its median may have fallen: sooner or later, the minimum of many is by chance as low as that of few. */
const FALL_SHARE = 0.1;
/** How much memory may have grown; it falls whenever a collector has run. */
const GROWTH_SHARE = 0.05;

/**
 * Whether the last batches show neither a trend nor a step against as many before them, more of them the longer it
 * takes. CPU per request counts by its minimum, since other programs only add to it, and its median may not fall;
 * memory counts by its maximum, which may fall. In short batches a rise counts too, since V8 may be about to optimize
 * code again; in batches of seconds it has done so, and a rise is due to the host.
 */
export function hasSettled(batches: readonly WarmupBatch[]): boolean {
  const { asked = null, ns = 0 } = batches.at(-1) ?? {};
  const equal = batches.slice(batches.findLastIndex((batch) => batch.asked !== asked) + 1);
  const span = Math.max(spanOf(ns), Math.floor(SPAN_SHARE * equal.length));
  if (asked === null || equal.length < 2 * span) return false;
  const [before, last] = [equal.slice(-2 * span, -span), equal.slice(-span)];
  const costs = (those: readonly WarmupBatch[]) => those.map((each) => each.cpuNs / each.answers);
  const bytes = (those: readonly WarmupBatch[]) => max(those.map((batch) => batch.bytes));
  const change = min(costs(last)) / min(costs(before)) - 1;
  return (
    (ns >= LONG_BATCH_NS ? -change : Math.abs(change)) <= COST_SHARE &&
    median(costs(last)) >= (1 - FALL_SHARE) * median(costs(before)) &&
    bytes(last) <= (1 + GROWTH_SHARE) * bytes(before)
  );
}
