import { HOOKS } from 'ladder-common/hooks';

/** What hooks share of a request. */
interface Passing {
  passed: number;
}

const hooks = Array.from({ length: HOOKS }, () => (passing: Passing) => {
  passing.passed += 1;
});

/** Calls one hook after another; returns how many there were. */
export function passHooks(): number {
  const passing = { passed: 0 };
  for (const hook of hooks) hook(passing);
  return passing.passed;
}
