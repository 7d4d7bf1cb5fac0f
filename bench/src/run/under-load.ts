import type { RunningServer } from '../launch/server.ts';
import { type Lost, type Measured, measure } from '../load/measure.ts';
import type { Measurement } from '../load/measurement.ts';
import { generatorCores } from '../load/order.ts';
import type { Order } from '../load/protocol.ts';
import type { Cell } from '../plan/plan.ts';
import type { Failure } from '../record/record.ts';
import type { RunContext } from './context.ts';
import { loseService } from './service-failures.ts';

/**
 * Puts load on a cell's server. Returns nothing where the server is lost; one that is lost now is
 * taken out of `servers` and put down as a failure.
 */
export async function load(
  cell: Cell,
  makeOrder: (server: RunningServer) => Order,
  generators: number,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Measurement | null> {
  const server = servers.get(cell.server);
  if (server === undefined) return null;
  const pool = await context.pool.take(generatorCores(cell, context.record.plan, generators));
  const { now, backend } = context;
  const measured = await measure(server, makeOrder(server), pool, now, backend);
  return measurementOf(measured, cell, launch, servers, context);
}

/** What was measured of a cell's server; nothing where it is lost, as of `load`. */
export function measurementOf(
  measured: Measured,
  cell: Cell,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Measurement | null {
  if (measured.state === 'measured') return measured.measurement;
  lose(measured, 'slice', cell, launch, servers, context);
  return null;
}

/** Takes a server that is lost out of `servers`, and puts that down as a failure. */
export function lose(
  lost: Lost,
  when: 'warm-up' | 'slice',
  cell: Cell,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): void {
  // Lost with its service, which another server of the same deal has told of.
  if (!servers.has(cell.server)) return;
  if (lost.state === 'serviceLost') {
    const { name, logTail } = lost.service;
    const message = 'its process died';
    loseService({ name, launch, when, message, logTail: logTail() }, servers, context);
    return;
  }
  servers.delete(cell.server);
  addFailure({ server: cell.server, launch, when, ...lost.failure }, context);
}

/** Puts a failure down, and says so. */
export function addFailure(
  failure: Failure,
  { record, onFailure }: Pick<RunContext, 'record' | 'onFailure'>,
) {
  record.failures.push(failure);
  onFailure(failure);
}
