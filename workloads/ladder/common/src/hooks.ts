/** How many middlewares, hooks, or guards, interceptors and pipes together, a request goes through. */
export const HOOKS = 10;
