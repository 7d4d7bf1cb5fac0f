/** 200 routes, ten middlewares that do little, and orders of 10 kB. The folder stands by itself: copy it. */
import fastify from 'fastify';

const RESOURCES = Array.from({ length: 199 }, (_, index) => index + 1);
const pathOf = (resource) => `/resources-${resource}/:id`;

/** Each notes something in the request, as those for logs, sessions and identities do. */
const middlewares = Array.from({ length: 10 }, (_, index) => {
  return (request, _response, next) => {
    request[`middleware${index}`] = request.headers.host;
    next();
  };
});

function receive({ items }) {
  const total = items.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  return { items: items.length, total };
}

const app = fastify();
for (const middleware of middlewares) app.addHook('onRequest', middleware);
for (const resource of RESOURCES) {
  app.get(pathOf(resource), ({ params }) => ({ resource, id: params.id }));
}
app.post('/orders', ({ body }) => receive(body));
await app.listen({ port: Number(process.env.PORT ?? 0), host: process.env.HOST ?? '127.0.0.1' });
