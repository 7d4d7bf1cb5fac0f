import type { ServiceName } from './index.ts';

/** A service that serves. */
export interface RunningService {
  readonly name: ServiceName;
  readonly version: string;
  readonly pids: readonly number[];
  /** How servers and seeds find it. */
  readonly environment: Record<string, string>;
  /** Whether every one of its processes still runs. */
  isAlive(): boolean;
  /** The last lines that it wrote. */
  logTail(): string[];
}
