/** The nth Fibonacci number by plain recursion: about 1.6^n calls, so n sets the CPU time. */
export function fibonacci(n: number): number {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
