import type { Role } from '../../figures/services.ts';
import { SERVICES } from '../../services/index.ts';

/** Whose CPU time it is, as the head of a column. */
export function roleName(role: Role): string {
  if (role === 'server') return 'server';
  return role === 'total' ? 'together' : SERVICES[role].label;
}
