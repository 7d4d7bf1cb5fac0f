import express from 'express';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 3001);

const app = express();

app.get('/', (_request, response) => {
  response.send('Hello World!');
});

const server = app.listen(port, host, (error) => {
  if (error) {
    console.error(error.message);
    process.exit(1);
  }
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
