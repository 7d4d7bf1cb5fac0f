import { settingsFrom } from 'ladder-common/rung';
import { giveUp, KEEP_ALIVE_MS, onEnd, placeFrom } from 'ladder-common/serve';
import { appOf } from './app.js';

const { host, port } = placeFrom(process.env, 3042);
const { app, close } = await appOf(settingsFrom(process.env));

const server = app.listen(port, host, (error) => {
  if (error) giveUp(error);
});
server.keepAliveTimeout = KEEP_ALIVE_MS;

onEnd(async () => {
  server.close();
  server.closeAllConnections();
  await close();
});
