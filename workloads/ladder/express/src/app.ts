import express, { type Express } from 'express';
import type { Settings } from 'ladder-common/rung';
import { routes } from './routes.js';

/** What is served, and what has to be closed in the end; only what a rung needs is imported and used. */
export async function appOf({ serves, has, mayFail }: Settings): Promise<{
  app: Express;
  close: () => Promise<void>;
}> {
  const app = express();
  if (has('log')) app.use((await import('ladder-common/request-log')).requestLog);
  if (has('token')) app.use((await import('./authenticated.js')).authenticated);
  if (has('hooks')) app.use((await import('./hooks.js')).hooks);
  if (has('body')) app.use(express.json());
  const close = await routes[serves](app);
  if (mayFail) app.use((await import('./problems.js')).problems);
  return { app, close };
}
