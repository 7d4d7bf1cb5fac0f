import { sampledCellOf, topologyOf } from '../plan/plan.ts';
import type { ArrangeOptions } from './arrange.ts';
import type { RunningCell, RunningLaunch } from './context.ts';

/** Acts while everything is as the cell's arrangement requires. */
export async function withArrangement<T>(
  { cell, server }: RunningCell,
  { record: { plan, machine }, backend, servers }: RunningLaunch,
  onWatched: ArrangeOptions['onWatched'],
  act: () => Promise<T>,
): Promise<T> {
  const all = [...servers.values()].flatMap(({ pids }) => pids);
  await using _arrangement = await backend.arrange(cell.arrangement, {
    server,
    others: all.filter((pid) => !server.pids.includes(pid)),
    cores: { own: topologyOf(plan, cell.topology).cores ?? machine.cores, all: machine.cores },
    isSampledInOthers: sampledCellOf(plan, cell) !== null,
    onWatched,
  });
  return await act();
}
