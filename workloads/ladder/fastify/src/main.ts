import { settingsFrom } from 'ladder-common/rung';
import { giveUp, onEnd, placeFrom } from 'ladder-common/serve';
import { appOf } from './app.js';

const { host, port } = placeFrom(process.env, 3043);
const app = await appOf(settingsFrom(process.env));

onEnd(() => app.close());

try {
  await app.listen({ host, port });
} catch (error) {
  giveUp(error);
}
