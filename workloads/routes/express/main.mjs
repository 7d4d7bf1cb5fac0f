/** 200 routes, ten middlewares that do little, and orders of 10 kB. The folder stands by itself: copy it. */
import express from 'express';

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

const app = express();
for (const middleware of middlewares) app.use(middleware);
app.use(express.json());
for (const resource of RESOURCES) {
  app.get(pathOf(resource), ({ params }, response) => response.json({ resource, id: params.id }));
}
app.post('/orders', ({ body }, response) => response.json(receive(body)));
app.listen(Number(process.env.PORT ?? 0), process.env.HOST ?? '127.0.0.1');
