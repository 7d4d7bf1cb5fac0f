import type { Type } from '@nestjs/common';
import type { Served } from 'ladder-common/rung';

const hooks = async () => (await import('./orders/hooks.controller.js')).HooksController;

const CONTROLLERS: Readonly<Record<Served, () => Promise<Type>>> = {
  text: async () => (await import('./hello/text.controller.js')).TextController,
  json: async () => (await import('./hello/json.controller.js')).JsonController,
  error: async () => (await import('./hello/error.controller.js')).ErrorController,
  params: async () => (await import('./items/params.controller.js')).ParamsController,
  body: async () => (await import('./orders/body.controller.js')).BodyController,
  hooks,
  log: hooks,
  token: async () => (await import('./orders/token.controller.js')).TokenController,
  row: async () => (await import('./orders/row.controller.js')).RowController,
};

/** The controller of what is served; the others are not even loaded. */
export async function controllerOf(serves: Served): Promise<Type> {
  return await CONTROLLERS[serves]();
}
