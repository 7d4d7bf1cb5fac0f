import { mariadb } from './mariadb.ts';
import { redis } from './redis.ts';
import type { Service } from './service.ts';

/** The services that a target can declare; each is a file of this folder. */
export const SERVICE_NAMES = ['redis', 'mariadb'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Each service by its name. */
export const SERVICES: Readonly<Record<ServiceName, Service>> = { redis, mariadb };

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
