import type { ServiceName } from './index.ts';

/** A service that serves. */
export interface RunningService {
  readonly name: ServiceName;
  readonly version: string;
  readonly pids: readonly number[];
  /** How servers and seeds find it. */
  readonly environment: Record<string, string>;
  /** What is wrong with it, as `its process died`; null while it runs. */
  trouble(): string | null;
  /** The last lines that it wrote. */
  logTail(): string[];
}
