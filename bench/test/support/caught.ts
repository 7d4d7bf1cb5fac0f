import { expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';

/** The UserError that a function throws; anything else fails the test. */
export function userError(act: () => unknown): UserError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    if (error instanceof UserError) return error;
  }
  throw new Error('no UserError was thrown');
}
