import type { PlannedService } from '../plan/services.ts';
import type { ServiceName } from '../services/index.ts';
import type { RunningService } from '../services/running.ts';
import { endInstance, type Instance, type ServiceTrouble, startInstance } from './instance.ts';
import type { LaunchContext } from './server.ts';

/** Services started together; disposing of them kills their processes and waits until they are gone. */
export interface LaunchedServices extends AsyncDisposable {
  readonly running: RunningService[];
  readonly failed: ServiceTrouble[];
}

/**
 * Starts these services together, each in a folder of its own within the run's; those of which a folder of
 * filled data is kept begin with a copy of that.
 * @throws when it is aborted; nothing is left running then.
 */
export async function startServices(
  planned: readonly PlannedService[],
  kept: ReadonlyMap<ServiceName, string>,
  context: LaunchContext,
): Promise<LaunchedServices> {
  const instances: Instance[] = [];
  const dispose = async () => {
    await Promise.all(instances.splice(0).map((each) => endInstance(each, context)));
  };
  const start = (service: PlannedService) => {
    const folder = kept.get(service.name);
    const source =
      folder === undefined ? { kind: 'fresh' as const } : { kind: 'template' as const, folder };
    return startInstance(service, source, context, (each) => instances.push(each));
  };
  try {
    const started = await Promise.all(planned.map(start));
    return {
      running: started.flatMap((each) => (each.state === 'running' ? [each.service] : [])),
      failed: started.flatMap((each) => (each.state === 'failed' ? [each.trouble] : [])),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
