import { readFileSync } from 'node:fs';
import { codeOf } from '../../src/base/errors.ts';

/** A field of /proc/PID/status; empty once the process is gone. */
export function statusOf(pid: number, field: string): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return new RegExp(`^${field}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return '';
    throw error;
  }
}
