import { createServer } from 'node:http';

const body = 'Hello World!';
const headers = ['Content-Type', 'text/plain', 'Content-Length', '12'];

const server = createServer({ optimizeEmptyRequests: true }, (_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(Number(process.env.PORT), process.env.HOST);
