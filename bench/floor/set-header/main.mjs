import { createServer } from 'node:http';

const body = 'Hello World!';

const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/plain');
  response.setHeader('Content-Length', '12');
  response.end(body);
});
server.listen(Number(process.env.PORT), process.env.HOST);
