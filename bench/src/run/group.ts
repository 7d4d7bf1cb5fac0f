import type { ReadyServers } from '../launch/ready.ts';
import type { RunningServer } from '../launch/server.ts';
import { cellOf, type Group } from '../plan/plan.ts';
import type { RunRecord, Slice, Start } from '../record/record.ts';
import type { RunningService } from '../services/running.ts';
import type { RunContext } from './context.ts';
import { addTroubles } from './service-failures.ts';
import { takeInterleaving, takeSlice } from './slices.ts';
import { brokenIn, type Step, stepsAfter, stepsOf } from './steps.ts';
import { addFailure } from './under-load.ts';
import { warmUpServer } from './warm-up-server.ts';

/** One launch of a group: its steps, from the start of its servers to their stop. */
export async function runGroup(launch: number, group: Group, context: RunContext): Promise<void> {
  const { record, soon } = context;
  const steps = stepsOf(record.plan, group, brokenIn(record));
  if (steps.length === 0 || nothingLeft(record)) return;
  context.onLaunch(launch, steps, stepsAfter(record, launch, group));
  await using stack = new AsyncDisposableStack();
  let servers = new Map<string, RunningServer>();
  let services: readonly RunningService[] = [];
  // What is thrown away on the way is due again, at the end of the round.
  const due: Slice[] = [];
  for (const step of steps) {
    if (soon.aborted && step.kind !== 'stop') continue;
    context.onStep(step);
    switch (step.kind) {
      case 'start': {
        const ready = stack.use(await startServers(step.servers, group, launch, context));
        if (nothingLeft(record)) return;
        ({ servers, services } = ready);
        if (soon.aborted) break;
        record.starts.push(...(await startsOf(servers, launch, context)));
        break;
      }
      case 'warm-up':
        await warmUpServer(cellOf(record.plan, step.cell), launch, servers, context);
        break;
      case 'idle': {
        const used = await context.backend.measureIdle(
          { servers: [...servers.values()], services },
          launch,
          context.now,
        );
        record.idle.push(...used.servers);
        record.services.push(...used.services);
        break;
      }
      case 'slice':
        due.push(...(await takeSlice({ ...step, launch }, servers, context)));
        break;
      case 'interleaving':
        due.push(...(await takeInterleaving({ ...step, launch }, servers, context)));
        break;
      case 'end of round':
        for (const slice of due) due.push(...(await takeSlice(slice, servers, context)));
        due.length = 0;
        record.wallNs = context.sinceStartNs();
        await context.onRound(record);
        record.firstTableNs ??= sinceFirstSlice(record, context.sinceStartNs());
        break;
      case 'stop':
        await stack.disposeAsync();
    }
  }
}

async function startServers(
  refs: Extract<Step, { kind: 'start' }>['servers'],
  { unverified }: Group,
  launch: number,
  { record, targets, launches, ...context }: RunContext,
): Promise<ReadyServers> {
  const { topologies, services } = record.plan;
  const wanted = { refs, topologies, targets, unverified: new Set(unverified), services };
  const ready = await launches.start(wanted);
  for (const notReady of ready.notReady) {
    addFailure({ launch, ...notReady }, { record, ...context });
  }
  addTroubles(ready.troubles, launch, refs, { record, ...context });
  return ready;
}

/** What servers are before their first load; one that is gone by then tells nothing here. */
async function startsOf(
  servers: Map<string, RunningServer>,
  launch: number,
  { launches }: Pick<RunContext, 'launches'>,
): Promise<Start[]> {
  const reading = [...servers].map(async ([server, { pids, judged }]): Promise<Start[]> => {
    if (pids.length === 0) return [];
    // Who puts load on a server that is gone says so.
    const bytes = await launches.readMemory(pids).catch(() => null);
    return bytes === null ? [] : [{ server, launch, bytes, judged: [...judged] }];
  });
  return (await Promise.all(reading)).flat();
}

/** Every server that is to be compared has failed, so that nothing is left to probe for. */
function nothingLeft(record: RunRecord): boolean {
  const { plan } = record;
  const broken = brokenIn(record);
  return plan.cells.every(({ server }) => broken.has(server));
}

function sinceFirstSlice({ slices: [first] }: RunRecord, nowNs: number): number | null {
  return first ? nowNs - first.startedNs - first.measurement.windowNs : null;
}
