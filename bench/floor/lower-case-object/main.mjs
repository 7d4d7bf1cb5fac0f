import { createServer } from 'node:http';

const body = 'Hello World!';
const headers = { 'content-type': 'text/plain', 'content-length': '12' };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(Number(process.env.PORT), process.env.HOST);
