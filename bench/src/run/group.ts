import { cellOf, type Group } from '../plan/plan.ts';
import type { RunRecord, Slice, Start } from '../record/record.ts';
import type { RunContext, RunningLaunch } from './context.ts';
import { addNotReady } from './failures.ts';
import { takeSlices } from './slices.ts';
import { brokenIn, type Step, stepsAfter, stepsOf } from './steps.ts';
import { warmUpServer } from './warm-up-server.ts';

/** One launch of a group: its steps, from the start of its servers to their stop. */
export async function runGroup(launch: number, group: Group, context: RunContext): Promise<void> {
  const { record, soon } = context;
  const steps = stepsOf(record.plan, group, brokenIn(record));
  if (steps.length === 0 || nothingLeft(record)) return;
  context.onLaunch(launch, steps, stepsAfter(record, launch, group));
  await using stack = new AsyncDisposableStack();
  const running: RunningLaunch = { ...context, launch, servers: new Map(), services: [] };
  // What is thrown away on the way is due again, at the end of the round.
  const due: Slice[] = [];
  for (const step of steps) {
    if (soon.aborted && step.kind !== 'stop') continue;
    context.onStep(step);
    switch (step.kind) {
      case 'start':
        stack.use(await startServers(step.servers, group, running));
        if (nothingLeft(record)) return;
        if (!soon.aborted) record.starts.push(...(await startsOf(running)));
        break;
      case 'warm-up':
        await warmUpServer(cellOf(record.plan, step.cell), running);
        break;
      case 'idle':
        await addIdleUse(running);
        break;
      case 'slices':
        due.push(...(await takeSlices(step, running)));
        break;
      case 'end of round':
        for (let next = due.shift(); next !== undefined; next = due.shift()) {
          due.push(...(await takeSlices({ ...next, cells: [next.cell] }, running)));
        }
        record.wallNs = context.sinceStartNs();
        // One that came and went during a launch has disturbed it too.
        record.hadOtherRuns ||= context.launches.otherRuns().length > 0;
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
  running: RunningLaunch,
): Promise<AsyncDisposable> {
  const { targets, launches, record } = running;
  const { topologies, services } = record.plan;
  const wanted = { refs, topologies, targets, unverified: new Set(unverified), services };
  const ready = await launches.start(wanted);
  addNotReady(ready, refs, running);
  running.servers = ready.servers;
  nameExposed(running);
  running.services = ready.services;
  return ready;
}

/** Tells of each server that was started and that others may reach while it is measured. */
function nameExposed({ servers, launches, onExposed }: RunningLaunch): void {
  for (const { pids, managerPids, spec } of servers.values()) {
    if (spec.target.external !== null) continue;
    const ports = launches.exposedPorts([...pids, ...managerPids]);
    if (ports.length > 0) onExposed(spec.target.label, ports);
  }
}

/** What servers are before their first load; one that is gone by then tells nothing here. */
async function startsOf({ servers, launch, launches }: RunningLaunch): Promise<Start[]> {
  const reading = [...servers].map(async ([server, running]): Promise<Start[]> => {
    const { pids, judged, startNs } = running;
    if (pids.length === 0) return [];
    // Who puts load on a server that is gone says so.
    const bytes = await launches.readMemory(pids).catch(() => null);
    return bytes === null ? [] : [{ server, launch, bytes, startNs, judged: [...judged] }];
  });
  return (await Promise.all(reading)).flat();
}

/** Takes what is there and idle into the record; nothing of what dies meanwhile, which will be found out. */
async function addIdleUse({ servers, services, launch, record, backend, now }: RunningLaunch) {
  const nsPerS = await backend.measureIdle([...servers.values(), ...services], now);
  for (const [server, running] of servers) {
    const used = nsPerS.get(running);
    if (used !== undefined) record.idle.push({ server, launch, nsPerS: used });
  }
  for (const service of services) {
    const idleNsPerS = nsPerS.get(service);
    const { name, version } = service;
    if (idleNsPerS !== undefined) record.services.push({ name, launch, version, idleNsPerS });
  }
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
