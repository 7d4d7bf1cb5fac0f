import * as hdr from 'hdr-histogram-js';
import type { Answers, LedgerCounts } from './ledger.ts';
import type { Block, Measurement, Pace } from './measurement.ts';
import type { Outcome } from './protocol.ts';

/**
 * What two generators came to with one order, as one outcome. Where one could not go on, that is it;
 * `stopped` is only what it did to the other.
 */
export function mergeOutcomes(a: Outcome, b: Outcome): Outcome {
  if (a.kind === 'measured' && b.kind === 'measured') {
    return { kind: 'measured', measurement: mergeMeasurements(a.measurement, b.measurement) };
  }
  return b.kind === 'measured' || (b.kind === 'stopped' && a.kind !== 'measured') ? a : b;
}

/**
 * What two generators saw of one slice, as one measurement. What became of requests adds up; so do CPU
 * time and memory, since only the first reads those of the server, the manager and the harness. The
 * window and the system are the first's, delays and caps the worst, and the turns those of the busier
 * generator, which decides whether the generators were the limit.
 */
export function mergeMeasurements(a: Measurement, b: Measurement): Measurement {
  const cpu = (who: keyof Measurement['cpu']) => ({
    cpuNs: a.cpu[who].cpuNs + b.cpu[who].cpuNs,
    waitNs: a.cpu[who].waitNs + b.cpu[who].waitNs,
  });
  return {
    warmupNs: Math.max(a.warmupNs, b.warmupNs),
    warmupCapped: a.warmupCapped || b.warmupCapped,
    openedNs: a.openedNs,
    windowNs: a.windowNs,
    halfway: a.halfway && b.halfway && { ns: a.halfway.ns, ok: a.halfway.ok + b.halfway.ok },
    generators: a.generators + b.generators,
    drainNs: Math.max(a.drainNs, b.drainNs),
    drainCapped: a.drainCapped || b.drainCapped,
    ledger: {
      ...addCounts(a.ledger, b.ledger),
      inFlight: a.ledger.inFlight + b.ledger.inFlight,
    },
    window: { ...addCounts(a.window, b.window), bytes: a.window.bytes + b.window.bytes },
    latencyHistogram: addHistograms(a.latencyHistogram, b.latencyHistogram),
    agesHistograms: a.agesHistograms &&
      b.agesHistograms && {
        lost: addHistograms(a.agesHistograms.lost, b.agesHistograms.lost),
        inFlight: addHistograms(a.agesHistograms.inFlight, b.agesHistograms.inFlight),
      },
    cpu: {
      server: cpu('server'),
      manager: cpu('manager'),
      harness: cpu('harness'),
      generator: cpu('generator'),
    },
    services: { ...b.services, ...a.services },
    leadIn: a.leadIn,
    blocks: a.blocks.map((block, place) => addBlocks(block, b.blocks[place])),
    idleNsPerS: a.idleNsPerS + b.idleNsPerS,
    isQuiet: a.isQuiet,
    disturbed: a.disturbed,
    mainThread: a.mainThread,
    workersCpuNs: [...a.workersCpuNs, ...b.workersCpuNs],
    system: a.system,
    throttling: a.throttling,
    memory: {
      server: a.memory.server + b.memory.server,
      manager: a.memory.manager + b.memory.manager,
    },
    peak: a.peak &&
      b.peak && {
        server: a.peak.server + b.peak.server,
        manager: a.peak.manager + b.peak.manager,
      },
    pace: a.pace && b.pace && mergePaces(a.pace, b.pace),
    series: [...a.series, ...b.series],
    requests: a.requests.flatMap((each, place) => {
      const other = b.requests[place];
      return other === undefined ? [] : [addAnswers(each, other)];
    }),
    turns: b.turns.idleNs < a.turns.idleNs ? b.turns : a.turns,
  };
}

/** Of the same time; only the first reads the CPU time of the server. */
function addBlocks(a: Block, b: Block | undefined): Block {
  return b === undefined
    ? a
    : {
        cpuNs: a.cpuNs + b.cpuNs,
        answers: a.answers + b.answers,
        chargedNs: a.chargedNs + b.chargedNs,
        ns: a.ns,
      };
}

function mergePaces(a: Pace, b: Pace): Pace {
  return {
    planned: a.planned + b.planned,
    dropped: a.dropped + b.dropped,
    lateness: a.lateness &&
      b.lateness && {
        late: a.lateness.late + b.lateness.late,
        histogram: addHistograms(a.lateness.histogram, b.lateness.histogram),
      },
  };
}

function addAnswers(a: Answers, b: Answers): Answers {
  return {
    ok: a.ok + b.ok,
    wrongStatus: a.wrongStatus + b.wrongStatus,
    wrongBody: a.wrongBody + b.wrongBody,
  };
}

type Counts = Omit<LedgerCounts, 'inFlight'>;

function addCounts(a: Counts, b: Counts): Counts {
  return {
    sent: a.sent + b.sent,
    ok: a.ok + b.ok,
    wrongStatus: a.wrongStatus + b.wrongStatus,
    wrongBody: a.wrongBody + b.wrongBody,
    timedOut: a.timedOut + b.timedOut,
    disconnected: a.disconnected + b.disconnected,
  };
}

function addHistograms(a: string, b: string): string {
  const sum = hdr.decodeFromCompressedBase64(a);
  sum.add(hdr.decodeFromCompressedBase64(b));
  return hdr.encodeIntoCompressedBase64(sum);
}
