import { mariadb } from './mariadb.ts';
import { redis } from './redis.ts';
import type { Service } from './service.ts';

/** The services that a target can declare. */
export const SERVICE_NAMES = ['redis', 'mariadb'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

export const SERVICES: Readonly<Record<ServiceName, Service>> = { redis, mariadb };

export interface RunningService {
  readonly name: ServiceName;
  readonly version: string;
  readonly pids: readonly number[];
  readonly environment: Record<string, string>;
  /** What is wrong with it, for example `its process died`; null while it runs. */
  failure(): string | null;
  logTail(): string[];
}
