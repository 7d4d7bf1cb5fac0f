import type { RunningServer } from '../launch/server.ts';
import { type Cell, sampledCellOf, topologyOf } from '../plan/plan.ts';
import type { Arranged } from './arrange.ts';
import type { RunningLaunch } from './context.ts';

/** Acts while everything is as the cell's arrangement has it. */
export async function arranged<T>(
  cell: Cell,
  server: RunningServer,
  { record: { plan, machine }, backend, servers }: RunningLaunch,
  onWatched: Arranged['onWatched'],
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
