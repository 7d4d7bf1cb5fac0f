import fastify from 'fastify';
import { address, middlewares, pathOf, RESOURCES, receive } from '../routes.mjs';

const app = fastify();
for (const middleware of middlewares) app.addHook('onRequest', middleware);
for (const resource of RESOURCES) {
  app.get(pathOf(resource), ({ params }) => ({ resource, id: params.id }));
}
app.post('/orders', ({ body }) => receive(body));
await app.listen(address);
