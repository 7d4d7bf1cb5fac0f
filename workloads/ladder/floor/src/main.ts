import { createServer } from 'node:http';
import { settingsFrom } from 'ladder-common/rung';
import { giveUp, onEnd, placeFrom } from 'ladder-common/serve';
import { handlerOf } from './handler.js';

const { host, port } = placeFrom(process.env, 3041);
const { listener, close } = await handlerOf(settingsFrom(process.env));

// The cheapest of the ways in bench/floor: no stream events for requests without a body, no timer
// for idle connections.
const server = createServer({ optimizeEmptyRequests: true }, listener);
server.keepAliveTimeout = 0;
server.once('error', giveUp);
server.listen(port, host);

onEnd(async () => {
  server.close();
  server.closeAllConnections();
  await close();
});
