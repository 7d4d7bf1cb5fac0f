import { mariadb } from './mariadb.ts';
import { redis } from './redis.ts';
import type { Service } from './service.ts';

/** The services that a target can declare; each is a file of this folder. */
export const SERVICE_NAMES = ['redis', 'mariadb'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Each service by its name. */
export const SERVICES: Readonly<Record<ServiceName, Service>> = { redis, mariadb };
