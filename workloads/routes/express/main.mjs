import express from 'express';
import { address, middlewares, pathOf, RESOURCES, receive } from '../routes.mjs';

const app = express();
for (const middleware of middlewares) app.use(middleware);
app.use(express.json());
for (const resource of RESOURCES) {
  app.get(pathOf(resource), ({ params }, response) => response.json({ resource, id: params.id }));
}
app.post('/orders', ({ body }, response) => response.json(receive(body)));
app.listen(address.port, address.host);
